// Small requests use an array of the caller, larger ones the heap; freed by the same test
#include <stdio.h>
#include <stdlib.h>

#define ROOM 8

static char *room_for(int size, char *local) {
    if (size > ROOM)
        return malloc(size);
    return local;
}

static void give_back(char *text, int size) {
#ifdef BUG
    if (size >= ROOM)
#else
    if (size > ROOM)
#endif
        free(text); /*L*/
}

static int shout(int size) {
    char local[ROOM];
    char *text = room_for(size, local);
    int count = 0;
    if (!text)
        return -1;
    if (size > 0) {
        text[0] = '!';
        text[size - 1] = '!';
        count = text[0] == text[size - 1];
    }
    give_back(text, size);
    return count;
}

int main(void) {
    int size, shouted = 0;
    while (scanf("%d", &size) == 1 && size >= 0)
        shouted += shout(size) > 0;
    printf("%d\n", shouted > 0);
    return 0;
}
