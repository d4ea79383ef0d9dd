#ifndef _LIBGEN_H
#define _LIBGEN_H
char *dirname(char *path);
char *basename(char *path);
#endif
