extern int __VERIFIER_nondet_int(void);
struct flags { unsigned a : 3; int b : 5; unsigned long c : 40; _Bool d : 1; unsigned char e; };
static struct flags all = {5, -3, 1ul << 39, 1, 7};
static int mix(struct flags f) { f.a++; f.b = (int)f.a - f.b; f.c <<= 1; return f.b + (int)(f.c & 3) + f.e; }
int main(void) {
    struct flags own = {0};
    own.b = __VERIFIER_nondet_int();
    own.a = (unsigned)own.b;
    own.d = own.a > 3;
    all = own;
    all.e += 250;
    struct flags part;
    part.a = 3;
    return mix(own) + mix(all) + (int)part.a;
}
