// No prototype says that the function takes a double.
static int half();
int main(void) { return half(4); }
static int half(x) double x; { return x > 1.0; }
