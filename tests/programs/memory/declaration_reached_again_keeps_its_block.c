int main(void) {
    int turn = 0, *old = 0;
again:;
    int a[2];
    if (turn == 0) {
        old = a;
        turn = 1;
        goto again;
    }
    *old = 0;
    return a[0];
}
