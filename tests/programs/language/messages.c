#include <assert.h>
#include <libintl.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    assert(!strcmp(gettext("hello"), "hello"));
    assert(!strcmp(dgettext("x", "hello"), "hello"));
    assert(!strcmp(ngettext("one", "many", 2), "many"));
    assert(textdomain("x") && bindtextdomain("x", "/tmp"));
    printf("%s %s\n", ngettext("one", "many", 1), dngettext("x", "one", "many", 3));
    return 0;
}
