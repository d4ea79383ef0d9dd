/* A doubly linked list of links inside the elements, as in operating systems. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};

struct job {
    int priority;
    struct link link;
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

static void insert_before(struct link *where, struct link *what) {
    what->next = where;
    what->prev = where->prev;
    where->prev->next = what;
    where->prev = what;
}

static void unlink_one(struct link *what) {
    what->next->prev = what->prev;
    what->prev->next = what->next;
}

int main(void) {
    struct link queue = {&queue, &queue};
    for (int i = 0; i < 4; i++) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            break;
        job->priority = i * i;
        insert_before(&queue, &job->link);
    }
    while (queue.next != &queue) {
        struct job *job = container_of(queue.next, struct job, link);
        unlink_one(&job->link);
        printf("job %d\n", job->priority);
        free(job);
    }
    return 0;
}
