// properties: uninitialised
static int f(int n) {
    if (n > 0)
        return 1;
}
int main(void) {
    f(0);
    return f(1) - 1;
}
