int main(void) {
    int *p = 0, turns = 0;
again:
    if (turns == 2)
        return *p; //! use-after-scope
    {
        int x = turns++;
        p = &x;
        if (turns)
            goto again;
    }
    return 0;
}
