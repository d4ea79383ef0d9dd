#include <stdio.h>
static int into(int n) { int s = 0; if (n) goto inside; { int x = 5; s += x; inside: x = 7; s += x; } return s; }
static int loop(void) { int i = 0; goto test; body: i += 2; test: if (i < 10) goto body; return i; }
static int out(void) { for (int i = 0;; i++) for (int j = 0; j < 50; j++) if (i * j == 42) { int k = i + j; if (k) goto done; } done: return 42; }
static int intoloop(void) { int i = 0, n = 0; goto mid; for (; i < 5; i++) { n += 10; mid: n++; } return n; }
static int same(int k) { top: { int v[3] = { k, k, k }; if (k++ < 5) goto top; return v[2]; } }
static int els(int n) { if (n == 1) goto a; else if (n == 2) { a: return 11; } else goto b; b: return 22; }
int main(void) { printf("%d %d %d %d %d %d\n", into(0), into(1), loop(), out(), intoloop(), same(0)); printf("%d %d %d\n", els(1), els(2), els(3)); int a = 0; { goto end; a = 1; end: ; } label: ; typedef int label2; lab: __attribute__((unused)); return a; }
