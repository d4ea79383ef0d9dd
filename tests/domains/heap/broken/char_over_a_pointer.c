/* A text that lies where the pointer to it does: the pointer is overwritten. */
#include <string.h>
static void cut(char **slot, char *text)
{
    char *end = text;
    while (*end && *end != ',')
        end++;
    *slot = text;
    *end = 0;
}
int main(void)
{
    char word[8] = "a,b";
    char *place;
    char *slot;
    memcpy(&place, word, sizeof place);
    slot = word;
    cut((char **)(void *)&place, (char *)(void *)&place);
    return *place + *slot;
}
