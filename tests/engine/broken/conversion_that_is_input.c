// The format has a character that is read: it may be the percent sign.
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char format[3] = "xs";
    int c = __VERIFIER_nondet_int();
    if (c > 0 && c < 127)
        format[0] = (char)c;
    printf(format, 5);
    return 0;
}
