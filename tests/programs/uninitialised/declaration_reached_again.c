// properties: uninitialised
int main(void) {
    int turn = 0, *old = 0;
again:;
    int a[2];
    if (turn == 0) {
        a[0] = 1;
        old = a;
        turn = 1;
        goto again;
    }
    if (old != a)
        return 1;
    return a[0]; //! uninitialised-use
}
