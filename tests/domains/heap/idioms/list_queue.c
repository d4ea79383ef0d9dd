// A queue of jobs on the heap, first in, first out
#include <stddef.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

#define job_of(p) ((struct job *)((char *)(p) - offsetof(struct job, entry)))

struct entry {
    struct entry *next;
};

struct queue {
    struct entry *first, **end;
};

struct job {
    int id;
    struct entry entry;
    int *result;
};

static void put(struct queue *q, struct entry *e) {
    e->next = NULL;
    *q->end = e; /*L*/
    q->end = &e->next;
}

static struct entry *take(struct queue *q) {
    struct entry *e = q->first;
    if (e) {
        q->first = e->next;
#ifndef BUG
        if (!q->first)
            q->end = &q->first;
#endif
    }
    return e;
}

static void submit(struct queue *q, int id, int *result) {
    struct job *job = malloc(sizeof *job);
    if (!job)
        return;
    job->id = id;
    job->result = result;
    put(q, &job->entry);
}

static void work(struct queue *q) {
    struct entry *e;
    while ((e = take(q))) {
        struct job *job = job_of(e);
        *job->result += job->id;
        free(job);
    }
}

int main(void) {
    struct queue q;
    int result = 0;
    q.first = NULL;
    q.end = &q.first;
    submit(&q, 1, &result);
    if (__VERIFIER_nondet_int())
        submit(&q, 2, &result);
    work(&q);
    submit(&q, 3, &result);
    work(&q);
    return result > 6;
}
