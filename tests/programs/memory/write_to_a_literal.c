int main(void) {
    char *p = "text";
    p[0] = 'T'; //! invalid-pointer
    return 0;
}
