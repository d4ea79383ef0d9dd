extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int i = 0, state = 0, *seen = 0;
again:;
    int here = i;
    if (seen && *(&i) > 6) goto out;
    switch (state) {
    case 0: state = __VERIFIER_nondet_uchar() % 4; goto next;
    case 1 ... 2: { int inner = i; seen = &i; state = inner & 1 ? 3 : 0; break; }
    default: state = 0;
    }
    here++;
next:
    i += 1 + (here > 9);
    if (i < 12) goto again;
out:
    return state + here;
}
