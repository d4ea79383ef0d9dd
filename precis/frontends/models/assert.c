/* Failed assertions, and the verifier functions that programs declare but need not define. */
#include <assert.h>
#include <precis.h>

static void say(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    __precis_write(2, text, n);
}

static void say_number(unsigned n)
{
    char digits[12];
    int first = 11;
    digits[first] = 0;
    do
        digits[--first] = (char)('0' + n % 10);
    while (n /= 10);
    say(digits + first);
}

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    say(file);
    say(":");
    say_number(line);
    say(": ");
    if (function) {
        say(function);
        say(": ");
    }
    say("Assertion `");
    say(expression);
    say("' failed.\n");
    __precis_abort();
}

void __VERIFIER_assert(int condition)
{
    if (!condition)
        __assert_fail("condition", "__VERIFIER_assert", 0, NULL);
}

void __VERIFIER_error(void)
{
    __precis_abort();
}

void reach_error(void)
{
    __precis_abort();
}
