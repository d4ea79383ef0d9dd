// The pointer is moved by one callee and read by the next
int __VERIFIER_nondet_int(void);
static int get(int *p) { return *p; }
static int at(int *a, int n) { return get(a + n); }

int main(void) {
    int x[4] = {1, 2, 3, 4};
    int n = __VERIFIER_nondet_int();
    return n < 3 ? at(x + 1, n) : 0;
}
