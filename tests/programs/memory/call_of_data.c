int main(void) {
    int x = 1;
    int (*f)(void) = (int (*)(void))&x;
    return f(); //! invalid-pointer
}
