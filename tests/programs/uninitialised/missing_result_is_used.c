// properties: uninitialised
static int f(int n) {
    if (n > 0)
        return 1;
}
int main(void) {
    f(0);
    int x = f(0);
    return x + 1; //! uninitialised-use
}
