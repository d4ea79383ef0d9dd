static const int table[2][2] = {{1, 2}, {3, 4}};
static int read_it(int i) { return table[i][1]; }
int main(void) {
    int *p = (int *)&table[1][0];
    if (read_it(1) != 4)
        return 1;
    *p = 5; //! invalid-pointer
    return 0;
}
