/* In the locale "C" no message is translated; catalogues and their names are not kept. */
#define _GNU_SOURCE 1
#include <libintl.h>
#include <stddef.h>

char *dcgettext(const char *domain, const char *id, int category)
{
    (void)domain;
    (void)category;
    return (char *)id;
}

char *dgettext(const char *domain, const char *id)
{
    (void)domain;
    return (char *)id;
}

char *gettext(const char *id)
{
    return (char *)id;
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long n,
                 int category)
{
    (void)domain;
    (void)category;
    return (char *)(n == 1 ? one : many);
}

char *dngettext(const char *domain, const char *one, const char *many, unsigned long n)
{
    (void)domain;
    return (char *)(n == 1 ? one : many);
}

char *ngettext(const char *one, const char *many, unsigned long n)
{
    return (char *)(n == 1 ? one : many);
}

char *textdomain(const char *domain)
{
    return domain && *domain ? (char *)domain : "messages";
}

char *bindtextdomain(const char *domain, const char *directory)
{
    if (!domain || !*domain)
        return NULL;
    return directory ? (char *)directory : "/usr/share/locale";
}

char *bind_textdomain_codeset(const char *domain, const char *codeset)
{
    return domain && *domain ? (char *)codeset : NULL;
}
