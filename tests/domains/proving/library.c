/* Functions of the library, on what is known. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static void strings(void) {
  char a[16] = "hello";
  assert(strlen(a) == 5);
  assert(strcmp(a, "hello") == 0);
  assert(strchr(a, 'l') == a + 2);
  strcpy(a + 5, " you");
  assert(strlen(a) == 9);
  assert(a[9] == 0 && a[6] == 'y');
  char b[4];
  if (__VERIFIER_nondet_int()) strcpy(b, "four"); //-
  strcpy(b, "abc");
  assert(memcmp(b, "abc", 3) == 0);
  if (__VERIFIER_nondet_int()) strcat(b, "d"); //-
}

static void characters(int n) {
  if (n >= 0 && n <= 255) {
    if (isdigit(n)) assert(n >= '0' && n <= '9'); //~
    assert(toupper('a') == 'A');
  }
  printf("%d\n", n);
  assert(abs(-4) == 4);
}

static void numbers(void) {
  assert(atoi("42") == 42);
  char text[8];
  snprintf(text, sizeof text, "%d", 7);
  assert(strlen(text) < 8);
}

int main(void) {
  strings();
  characters(__VERIFIER_nondet_int());
  numbers();
  return 0;
}
