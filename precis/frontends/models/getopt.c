/* Short options. Arguments that are none are moved behind them unless `options` starts with '+'. */
#define _GNU_SOURCE 1
#include <getopt.h>
#include <precis.h>

char *optarg = NULL;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* The letters still to be read in args[optind - 1], and where the arguments not yet seen start. */
static const char *letters = "";
static int unseen = 1;

static void say(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    __precis_write(2, text, n);
}

static void complain(const char *program, const char *what, char letter)
{
    if (!opterr)
        return;
    say(program);
    say(what);
    __precis_write(2, &letter, 1);
    say("'\n");
}

/* Moves args[unseen] down to args[optind]; both then point behind it. */
static char *next_argument(char **args)
{
    char *found = args[unseen];
    for (int i = unseen; i > optind; i--)
        args[i] = args[i - 1];
    args[optind++] = found;
    unseen++;
    return found;
}

static int is_option(const char *text)
{
    return text[0] == '-' && text[1];
}

/* Finds the next option argument; 0 at the end of the options. */
static int find_option(int count, char **args, int in_order)
{
    if (unseen < optind || optind < 1)
        unseen = optind = optind < 1 ? 1 : optind;
    while (unseen < count && !is_option(args[unseen])) {
        if (in_order)
            return 0;
        unseen++;
    }
    if (unseen >= count)
        return 0;
    letters = next_argument(args) + 1;
    if (letters[0] == '-' && !letters[1]) {
        letters = "";
        return 0;
    }
    return 1;
}

static const char *find_letter(const char *options, char letter)
{
    for (; *options; options++)
        if (*options == letter && letter != ':')
            return options;
    return NULL;
}

static int option_argument(int count, char **args, const char *known, int quiet)
{
    if (*letters) {
        optarg = (char *)letters;
        letters = "";
    } else if (known[2] == ':') {
        optarg = NULL;
    } else if (unseen < count) {
        optarg = next_argument(args);
    } else {
        optopt = (unsigned char)*known;
        if (!quiet)
            complain(args[0], ": option requires an argument -- '", *known);
        return quiet ? ':' : '?';
    }
    return (unsigned char)*known;
}

int getopt(int count, char *const args[], const char *options)
{
    int in_order = *options == '+' || *options == '-';
    options += in_order;
    int quiet = *options == ':';
    optarg = NULL;
    if (optind <= 1 && unseen > 1 && !*letters)
        unseen = 1;
    if (!*letters && !find_option(count, (char **)args, in_order))
        return -1;
    char letter = *letters++;
    const char *known = find_letter(options, letter);
    if (!known) {
        optopt = (unsigned char)letter;
        if (!quiet)
            complain(args[0], ": invalid option -- '", letter);
        return '?';
    }
    if (known[1] != ':')
        return (unsigned char)letter;
    return option_argument(count, (char **)args, known, quiet);
}
