#include <stdio.h>
#include <wchar.h>
#include <string.h>
#include <stddef.h>
typedef __CHAR16_TYPE__ c16; typedef __CHAR32_TYPE__ c32;
static wchar_t w[] = L"wide\u00e9"; static c16 s16[] = u"a\U0001F600b"; static c32 s32[] = U"\U0001F600"; static char s8[] = u8"é"; static wchar_t exact[4] = L"abcd"; static char ex[3] = "abc"; static char longer[8] = "ab"; static char cat[] = "ab" "\0" "cd\x41" "\101";
int main(void) { printf("%zu %zu %zu %zu %zu\n", sizeof w / sizeof *w, sizeof s16 / sizeof *s16, sizeof s32 / sizeof *s32, sizeof s8, wcslen(w)); for (int i = 0; w[i]; i++) printf("%x ", w[i]); for (int i = 0; s16[i]; i++) printf("%x ", s16[i]); printf("%x %x %x\n", s32[0], s8[0] & 255, s8[1] & 255); printf("%c%c %d %c %d\n", ex[0], ex[2], exact[3] == L'd', longer[1], longer[7]); printf("%zu %s %x %x %x %x\n", sizeof cat, cat + 3, 'ab', L'\u20ac', u'x', U'\U0001F600'); printf("%d %d %d %d\n", '\377', '\x80', L'\xff', '\0'); const char *p = "tri\?\?/" "\a\b\e\f\v\\\"\'"; for (; *p; p++) printf("%d ", *p); puts(""); char loc[2] = "ab"; wchar_t lw[6] = L"loc"; printf("%c%c %d %d\n", loc[0], loc[1], lw[2], lw[5]); char br[] = { "braced" }; puts(br); printf("%ls\n", L"plain"); return 0; }
