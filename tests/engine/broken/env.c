#include <assert.h>
int main(int argc, char **argv, char **env) { assert(argv == env); return 0; }
