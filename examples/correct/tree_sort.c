/* Sorts numbers with a binary search tree; recursion in both directions. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **place, int key) {
    while (*place)
        place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = calloc(1, sizeof **place);
    if (*place)
        (*place)->key = key;
}

static void print_and_free(struct tree *tree) {
    if (!tree)
        return;
    print_and_free(tree->left);
    printf("%d ", tree->key);
    print_and_free(tree->right);
    free(tree);
}

int main(void) {
    static const int keys[] = {50, 30, 70, 20, 40, 60, 80};
    struct tree *root = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        insert(&root, keys[i]);
    print_and_free(root);
    putchar('\n');
    return 0;
}
