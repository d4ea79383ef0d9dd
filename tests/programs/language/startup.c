#include <stdio.h>
#include <stdlib.h>
static int ready;
__attribute__((constructor)) static void first(void) { ready++; puts("first"); }
__attribute__((constructor(200))) static void early(void) { puts("early"); }
__attribute__((constructor(150))) void earliest(void) { puts("earliest"); }
__attribute__((destructor)) static void last(void) { puts("last"); }
__attribute__((destructor(300))) static void very_last(void) { puts("very last"); }
static void handler(void) { puts("handler"); }
static void second(void) { puts("second"); atexit(handler); }
int main(void) { int n = 0; again: if (n++ < 2) goto again; atexit(handler); atexit(second); printf("main %d %d\n", ready, n); return 7; }
