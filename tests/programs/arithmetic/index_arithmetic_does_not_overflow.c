// properties: memory-safety overflow
int main(void) {
    int a[3] = {1, 2, 3};
    int *end = a + 3;
    long back = -1;
    return end[back] - end[-1] + (int)(end - a) - 3;
}
