// properties: overflow
// values: -1
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned char c = 255;
    c++;
    return x + 1 + c;
}
