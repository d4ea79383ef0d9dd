// properties: uninitialised
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0)
            x = 1;
        sum += x; //! uninitialised-use
    }
    return sum;
}
