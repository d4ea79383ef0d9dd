// properties: uninitialised
struct s { unsigned a : 3, b : 5; };
int main(void) {
    struct s s;
    s.a = 2;
    return s.b; //! uninitialised-use
}
