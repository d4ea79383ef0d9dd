int main(void) {
    int *p = (int *)123456789UL;
    return *p; //! invalid-pointer
}
