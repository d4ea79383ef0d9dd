#ifndef _LIBINTL_H
#define _LIBINTL_H 1

char *gettext(const char *id);
char *dgettext(const char *domain, const char *id);
char *dcgettext(const char *domain, const char *id, int category);
char *ngettext(const char *one, const char *many, unsigned long n);
char *dngettext(const char *domain, const char *one, const char *many, unsigned long n);
char *dcngettext(const char *domain, const char *one, const char *many, unsigned long n,
                 int category);
char *textdomain(const char *domain);
char *bindtextdomain(const char *domain, const char *directory);
char *bind_textdomain_codeset(const char *domain, const char *codeset);

#endif
