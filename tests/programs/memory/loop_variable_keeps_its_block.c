int main(void) {
    int *old = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        if (old)
            sum += *old;
        old = &i;
    }
    return sum - 3;
}
