extern unsigned char __VERIFIER_nondet_uchar(void);
static char *kept;
static char *last(int n) {
    char text[10];
    for (int i = 0; i < 10; i++) text[i] = (char)(n + i);
    kept = text + n % 10;
    return *kept > 3 ? kept : 0;
}
int main(void) {
    char *before = 0;
    int same = 0, i = __VERIFIER_nondet_uchar() % 10;
    for (int k = 0; k < 3; k++) {
        char text[10];
        if (k == 0) before = &text[i];
        if (before == &text[i]) same++;
    }
    char *gone = last(i);
    if (gone == kept) same += 10;
    int n = i + 1;
    char many[n];
    many[n - 1] = 7;
    return same + many[i];
}
