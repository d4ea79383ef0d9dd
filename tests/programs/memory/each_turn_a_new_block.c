int main(void) {
    int *old = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (old)
            sum += *old; //! use-after-scope
        old = &x;
    }
    return sum;
}
