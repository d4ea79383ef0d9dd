extern unsigned char __VERIFIER_nondet_uchar(void);
static int x, y = 2, far[3];
static int *const fixed = &x;
static const struct { int *p; int (*f)(void); } rows[2];
static int get(void);
static int *table[3] = {&x, &y, far + 1};
static const struct row { int *p; int (*f)(void); } filled[2] = {{&x, get}, {&y, 0}};
static int get(void) { return *fixed + *filled[1].p; }
static void set(int i, int v) { *table[i % 3] = v; }
int main(void) {
    x = 5;
    int r = get();
    set(__VERIFIER_nondet_uchar(), r);
    table[2] = &far[0];
    set(2, 8);
    return filled[0].f() + far[0] + (rows[1].p != 0);
}
