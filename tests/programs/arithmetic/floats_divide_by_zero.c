// properties: division overflow
int main(void) {
    double zero = 0;
    return 1 / zero > 1e300 ? 0 : 1;
}
