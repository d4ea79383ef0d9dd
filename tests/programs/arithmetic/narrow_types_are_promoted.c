// properties: overflow
int main(void) {
    signed char a = 100, b = 100;
    signed char c = a + b;
    short s = 32767;
    s++;
    return c == -56 && s == -32768 ? 0 : 1;
}
