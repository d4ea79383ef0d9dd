#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { int key; struct tree *left, *right; };
static struct tree *insert(struct tree *tree, int key) {
    if (!tree) {
        tree = malloc(sizeof *tree);
        if (!tree) exit(1);
        tree->key = key;
        tree->left = tree->right = NULL;
    } else if (key < tree->key) tree->left = insert(tree->left, key);
    else if (key > tree->key) tree->right = insert(tree->right, key);
    return tree;
}
static int sum(struct tree *tree) { return tree ? tree->key + sum(tree->left) + sum(tree->right) : 0; }
static void drop(struct tree *tree) {
    if (!tree) return;
    drop(tree->left);
    drop(tree->right);
    free(tree);
}
int main(void) {
    struct tree *tree = NULL;
    for (int i = 0; i < 4; i++) tree = insert(tree, __VERIFIER_nondet_int() % 7);
    int total = sum(tree);
    drop(tree);
    return total > 100;
}
