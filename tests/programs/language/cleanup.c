#include <stdio.h>
#include <stdlib.h>
static void bye(int *p) { printf("bye %d\n", *p); } static void freep(void *p) { free(*(void **)p); puts("freed"); } static int loud(int *p) { *p = 99; return puts("loud"); }
#define CLEAN __attribute__((cleanup(bye)))
static int early(int n) { if (n == 9) return 90; CLEAN int a = n; if (n > 2) return a * 10; for (int i = 0; i < 3; i++) { CLEAN int b = 100 + i; if (i == 0) continue; if (i == 1) break; } { int c CLEAN = 7; goto out; } out: return a; }
static int changed(void) { int r __attribute__((cleanup(loud))) = 1; return r; }
static int again(void) { int n = 0; top:; CLEAN int k = n; if (n++ < 2) goto top; return n; }
static int nested(void) { CLEAN int a = 1; { CLEAN int b = 2; { CLEAN int c = 3; if (c) goto out; } } out: puts("out"); return 0; }
static int value(void) { return ({ CLEAN int s = 5; s * 2; }); }
struct pair { int a, b; }; static void pair(struct pair *p) { printf("pair %d\n", p->a + p->b); }
static int pick(int n) { switch (n) { case 1: { CLEAN int x = 11; break; } case 2: { CLEAN int y = 22; return y; } } return 0; }
int main(void) { printf("%d\n", early(9)); printf("%d\n", early(1)); printf("%d\n", early(3)); printf("%d\n", changed()); printf("%d\n", again()); nested(); printf("%d\n", value()); { __attribute__((cleanup(freep))) void *p = malloc(4); } { __attribute__((cleanup(pair))) struct pair q = { 3, 4 }; } pick(1); pick(2); CLEAN int last = 1000; return 0; }
