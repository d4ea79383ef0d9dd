// A callee reads in front of where a pointer leads, which is behind the caller's block
static int last(int *end) { return end[-1]; }

int main(void) {
    int x[4] = {1, 2, 3, 4};
    return last(x + 6);
}
