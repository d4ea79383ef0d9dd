#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char buf[64], *end;
    printf("[%5d|%-5d|%05d|%+d|% d|%x|%X|%#o|%c|%s|%10s|%-10s|%.2s|%%]\n", 42, 42, 42, 42, 42, 255, 255, 8, 'c', "str", "right", "left", "cut");
    printf("%*d|%-*d|%.*s|%hhd|%hd|%ld|%lld|%zu|%jd|%td\n", 6, 1, 6, 2, 3, "abcdef", 300, 70000, 1L, 2LL, (size_t)3, (long)4, (long)5);
    int n; printf("count%n me\n", &n); printf("%d %d\n", n, snprintf(buf, 5, "%d", 1234567)); puts(buf);
    sprintf(buf, "%s-%03d", "id", 7); puts(buf);
    printf("%d %ld %ld %lu\n", atoi("  -42x"), strtol("0x1f", &end, 0), strtol("zz", NULL, 36), strtoul("777", NULL, 8));
    errno = 0; long big = strtol("99999999999999999999", &end, 10); printf("%ld %d %d\n", big, errno == ERANGE, *end);
    printf("%g %g\n", strtod("3.25e2abc", &end), atof("-.5")); puts(end);
    printf("%d %d %d %d\n", strcmp("abc", "abd") < 0, strncmp("abcx", "abcy", 3), memcmp("a\0b", "a\0c", 3) < 0, strcmp("", ""));
    strcpy(buf, "one,two;three"); for (char *t = strtok(buf, ",;"); t; t = strtok(NULL, ",;")) printf("<%s>", t);
    printf("\n%s %s %s\n", strchr("hello", 'l'), strrchr("hello", 'l'), strstr("haystack", "st"));
    printf("%zu %zu %s\n", strspn("aab", "a"), strcspn("hello", "lo"), strpbrk("word", "ro"));
    strncpy(buf, "ab", 5); buf[5] = 0; strcat(buf, "cd"); strncat(buf, "efgh", 2); puts(buf);
    memmove(buf + 1, buf, 5); buf[6] = 0; puts(buf); memset(buf, 'z', 3); puts(buf);
    printf("%d %d %d %c %c\n", !!isalpha('x'), !!isdigit('x'), !!isspace('\t'), toupper('q'), tolower('Q'));
    int a, b; char w[10]; double d; printf("%d", sscanf("12 -7 word 2.5", "%d%d%9s%lf", &a, &b, w, &d)); printf(" %d %d %s %g\n", a, b, w, d);
    char *dup = strdup("copied"); puts(dup); free(dup);
    int *z = calloc(3, sizeof *z); z = realloc(z, 6 * sizeof *z); printf("%d\n", z[2]); free(z);
    printf("%d %ld %d\n", abs(-5), labs(-6L), div(17, 5).rem);
    putchar('o'); putc('k', stdout); fputc('\n', stdout); fputs("fputs\n", stdout); fprintf(stdout, "%s\n", "fprintf"); fwrite("fw\n", 1, 3, stdout);
    char line[20]; int c, lines = 0;
    while (fgets(line, sizeof line, stdin)) { lines++; line[strcspn(line, "\n")] = 0; printf("(%s)", line); if (lines == 2) break; }
    while ((c = getchar()) != EOF && c != '#') putchar(toupper(c));
    int x, y; printf("%d ", scanf("%d ,%x", &x, &y)); printf("%d %d\n", x, y);
    fflush(stdout);
    return 0;
}
