#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char to[6] = "zzzzz", full[3] = {'a', 'b', 'c'};
    assert(strlcpy(to, "longer text", sizeof to) == 11);
    assert(strcmp(to, "longe") == 0);
    assert(strlcpy(to, "ab", sizeof to) == 2);
    assert(strlcat(to, "cdefg", sizeof to) == 7);
    assert(strcmp(to, "abcde") == 0);
    assert(strlcpy(to, "x", 0) == 1 && to[0] == 'a');
    assert(strlcat(full, "d", sizeof full) == 4 && full[2] == 'c');
    assert(arc4random_uniform(7) < 7);
    return 0;
}
