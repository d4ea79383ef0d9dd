// A record is handed out only if the result is zero
#include <stdio.h>
#include <stdlib.h>

enum { OK, BAD_KEY, NO_MEMORY };

struct record {
    int key;
    int *fields;
};

static int open_record(int key, struct record **out) {
    struct record *r;
    if (key < 0)
        return BAD_KEY;
    r = malloc(sizeof *r);
    if (!r)
        return NO_MEMORY;
    r->key = key;
    r->fields = calloc(3, sizeof *r->fields);
    if (!r->fields) {
        free(r);
        return NO_MEMORY;
    }
    *out = r;
    return OK;
}

static void close_record(struct record *r) {
    free(r->fields);
    free(r);
}

static int describe(int key, int *sum) {
    struct record *record = NULL;
    int status = open_record(key, &record);
#ifdef BUG
    if (status == BAD_KEY)
#else
    if (status != OK)
#endif
        return status;
    record->fields[0] = record->key; /*L*/
    *sum = record->fields[0] + record->fields[2];
    close_record(record);
    return OK;
}

int main(void) {
    int key, sum = 0;
    if (scanf("%d", &key) != 1)
        return 1;
    if (describe(key, &sum) == OK && describe(sum, &key) == OK)
        printf("%d\n", key == sum);
    return 0;
}
