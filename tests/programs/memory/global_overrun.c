static char text[4] = "abcd";
int main(void) {
    int n = 0;
    while (text[n]) //! out-of-bounds
        n++;
    return n;
}
