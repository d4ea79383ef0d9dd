extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
static int count;
static int twice(int x) { count++; return 2 * x; }
static int minus(int x) { count += 2; return -x; }
static int (*const table[])(int) = {twice, minus, twice};
struct ops { int (*act)(int); struct ops *more; };
static int apply(struct ops *ops, int x) {
    int turns = 0;
    while (ops && turns++ < 4) { x = ops->act(x % 1000); ops = ops->more; }
    return x;
}
int main(void) {
    struct ops first = {minus, 0}, second = {twice, &first};
    if (__VERIFIER_nondet_bool()) first.more = &second;
    int x = apply(&second, __VERIFIER_nondet_int() % 50);
    unsigned i = (unsigned)x % 3;
    int (*chosen)(int) = __VERIFIER_nondet_bool() ? table[i] : minus;
    return chosen(x % 1000) + count;
}
