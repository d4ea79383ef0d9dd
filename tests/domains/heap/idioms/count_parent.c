// A child keeps its parent alive, whoever lets go first
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int count;
    int level;
    struct node *parent;
};

static struct node *get(struct node *n) {
    if (n)
        n->count++;
    return n;
}

static void put(struct node *n) {
    while (n && --n->count == 0) { /*L*/
        struct node *parent = n->parent;
        free(n);
        n = parent;
    }
}

static struct node *make(struct node *parent) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return NULL;
    n->count = 1;
#ifdef BUG
    n->parent = parent;
#else
    n->parent = get(parent);
#endif
    n->level = parent ? parent->level + 1 : 0;
    return n;
}

int main(void) {
    struct node *root = make(NULL);
    struct node *leaf;
    if (!root)
        return 1;
    leaf = make(root);
    if (!leaf) {
        put(root);
        return 1;
    }
    assert(leaf->level == 1);
    if (__VERIFIER_nondet_int() > 0) {
        put(root);
        put(leaf);
    } else {
        put(leaf);
        put(root);
    }
    return 0;
}
