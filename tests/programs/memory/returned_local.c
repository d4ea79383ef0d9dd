static int *f(int n) {
    int table[3] = {1, 2, n};
    return table + 1;
}
int main(void) {
    int *p = f(9);
    return *p; //! use-after-scope
}
