static int count;
static void bump(void) { count++; }
int main(void) {
    int (*f)(void) = (int (*)(void))bump;
    f();
    return f(); //! invalid-pointer
}
