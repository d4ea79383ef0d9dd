int main(void) {
    int (*f)(int) = 0;
    return f(1); //! null-dereference
}
