// A log buffer that exists only if it was asked for: each use asks again
#include <stdio.h>
#include <stdlib.h>

struct options {
    int verbose;
    int limit;
};

struct run {
    const struct options *options;
    int *log;
    int used;
};

static int start(struct run *run, const struct options *options) {
    run->options = options;
    run->used = 0;
    if (options->verbose) {
        run->log = malloc(4 * sizeof *run->log);
        if (!run->log)
            return -1;
    }
    return 0;
}

static void note(struct run *run, int value) {
#ifdef BUG
    if (run->options->limit && run->used < 4)
#else
    if (run->options->verbose && run->used < 4)
#endif
        run->log[run->used++] = value; /*L*/
}

static void finish(struct run *run) {
    if (run->options->verbose) {
        for (int i = 0; i < run->used; i++)
            printf("%d\n", run->log[i]);
        free(run->log);
    }
}

int main(void) {
    struct options options = {0, 0};
    struct run run = {NULL, NULL, 0};
    if (scanf("%d %d", &options.verbose, &options.limit) != 2)
        return 1;
    if (start(&run, &options) != 0)
        return 2;
    note(&run, options.limit);
    if (options.limit > 10)
        note(&run, 10);
    finish(&run);
    return 0;
}
