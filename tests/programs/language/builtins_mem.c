#include <stdio.h>
#include <stddef.h>
#include <string.h>
struct s { char c; struct { int a[4]; } in; };
int main(void) {
    char a[16], b[16]; __builtin_memset(a, 'x', 15); a[15] = 0; __builtin_memcpy(b, a, 16); __builtin_memmove(b + 1, b, 5); b[0] = 'y'; puts(b);
    __builtin___memcpy_chk(b, "hello", 6, __builtin_object_size(b, 0)); puts(b); __builtin___memset_chk(b, 'q', 3, __builtin_object_size(b, 0)); puts(b);
    __builtin___memmove_chk(b + 1, b, 4, 15); puts(b); __builtin___strcpy_chk(b, "copy", 16); puts(b); __builtin___strcat_chk(b, "cat", 16); puts(b);
    __builtin___strncpy_chk(b, "ncopyxx", 5, 16); b[5] = 0; puts(b); __builtin___strncat_chk(b, "abc", 2, 16); puts(b);
    __builtin___sprintf_chk(a, 0, 16, "%d-%s", 5, "z"); puts(a); __builtin___snprintf_chk(a, 4, 0, 16, "%d", 12345); puts(a); __builtin___printf_chk(0, "p%d\n", 3);
    printf("%zu %zu\n", __builtin_offsetof(struct s, in.a[2]), offsetof(struct s, in));
    printf("%zu %d %d %s\n", __builtin_strlen("abcd"), __builtin_strcmp("a", "b") < 0, __builtin_memcmp("ab", "ac", 2) < 0, __builtin_strchr("hello", 'l'));
    printf("%d %d %d\n", __builtin_abs(-4), (int)__builtin_labs(-5L), __builtin_puts("puts"));
    char *p = __builtin_alloca(10); __builtin_strcpy(p, "alloca"); puts(p); printf("%s\n", (char *)__builtin_mempcpy(a, "zz", 3) - 3);
    void *m = __builtin_malloc(4); __builtin_free(m); m = __builtin_calloc(2, 2); printf("%d\n", *(char *)m); __builtin_free(m);
    printf("%s\n", __builtin_strstr("needle in hay", "in")); __builtin_putchar('c'); __builtin_putchar('\n'); __builtin_printf("x%d\n", 1);
    __builtin_bzero(a, 4); printf("%d\n", a[2]); return 0;
}
