// properties: overflow
// values: 65536
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x * x; //! signed-overflow
    return y;
}
