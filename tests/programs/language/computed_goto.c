#include <stdio.h>
static int run(const unsigned char *code) {
    static const void *const table[] = { &&push, &&add, &&mul, &&halt };
    int stack[8], sp = 0;
#define NEXT goto *table[*code++]
    NEXT;
push: stack[sp++] = *code++; NEXT;
add: sp--; stack[sp - 1] += stack[sp]; NEXT;
mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
halt: return stack[0];
}
static int offs(int i) { static const int d[] = { &&a - &&a, &&b - &&a, &&c - &&a }; goto *(&&a + d[i]); a: return 10; b: return 20; c: return 30; }
static int local(int n) { void *l = n ? &&yes : &&no; void *keep[2]; keep[0] = l; if (l == &&yes) n += 100; goto *keep[0]; yes: return n; no: return -1; }
static int scopes(int n) { void *t[] = { &&one, &&two }; int s = 0; { int x[2] = { 1, 2 }; goto *t[n]; one: x[0] = 5; s = x[0]; } two: return s + n; }
int main(void) { unsigned char p[] = { 0, 3, 0, 4, 1, 0, 5, 2, 3 }; printf("%d\n", run(p)); printf("%d %d %d\n", offs(0), offs(1), offs(2)); printf("%d %d %d %d\n", local(0), local(1), scopes(0), scopes(1)); return 0; }
