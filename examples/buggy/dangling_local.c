/* The address of a local outlives it. */
static int *pick(int which) {
    int table[2] = {10, 20};
    return &table[which];
}

int main(void) {
    int *p = pick(1);
    return *p;
}
