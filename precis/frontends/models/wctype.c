/* <wctype.h> in the "C" locale: a wide character beyond ASCII is in no class. */
#include <wctype.h>

int iswupper(wint_t c) { return c >= 'A' && c <= 'Z'; }
int iswlower(wint_t c) { return c >= 'a' && c <= 'z'; }
int iswdigit(wint_t c) { return c >= '0' && c <= '9'; }
int iswalpha(wint_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int iswalnum(wint_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
int iswxdigit(wint_t c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int iswblank(wint_t c) { return c == ' ' || c == '\t'; }
int iswspace(wint_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int iswcntrl(wint_t c) { return c < 32 || c == 127; }
int iswprint(wint_t c) { return c >= 32 && c < 127; }
int iswgraph(wint_t c) { return c > 32 && c < 127; }
int iswpunct(wint_t c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@')
           || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}
wint_t towlower(wint_t c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
wint_t towupper(wint_t c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
