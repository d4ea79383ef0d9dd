/* Streams in memory, and the names for streams that are locked by hand. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_to_text(void)
{
    char *text = NULL;
    size_t size = 9;
    FILE *stream = open_memstream(&text, &size);
    fflush(stream);
    printf("%zu [%s]\n", size, text);
    for (int i = 0; i < 30; i++)
        fprintf(stream, "%d,", i * i);
    fputs("end", stream);
    fputc('!', stream);
    fwrite("raw", 1, 3, stream);
    fflush(stream);
    printf("%zu %d\n", size, (int)strlen(text));
    fputs_unlocked("more", stream);
    printf("%d\n", fclose(stream));
    printf("%zu %s\n", size, text);
    free(text);
}

static void read_from_text(void)
{
    char text[] = "12 words\nand a second line";
    char word[16], line[32];
    int number = 0;
    FILE *stream = fmemopen(text, sizeof text - 1, "r");
    printf("%d", fscanf(stream, "%d %15s", &number, word));
    printf(" %d %s %d\n", number, word, fgetc(stream));
    flockfile(stream);
    printf("%s|\n", fgets(line, sizeof line, stream));
    funlockfile(stream);
    printf("%d ", fgetc_unlocked(stream));
    printf("%d ", feof(stream) != 0);
    printf("%d ", ungetc('x', stream));
    printf("%c ", fgetc(stream));
    printf("%d\n", fgetc(stream));
    fclose(stream);
}

static void write_to_area(void)
{
    char area[8] = "abcdefg";
    FILE *stream = fmemopen(area, sizeof area, "w");
    setbuf(stream, NULL);
    fputs("xyz", stream);
    fclose(stream);
    printf("%s %c\n", area, area[5]);
    stream = fmemopen(area, sizeof area, "a");
    fputs("12", stream);
    fclose(stream);
    printf("%s\n", area);
    printf("%d\n", fmemopen(area, sizeof area, "q") == NULL);
}

int main(void)
{
    write_to_text();
    read_from_text();
    write_to_area();
    printf("%d\n", ftrylockfile(stdout));
    return 0;
}
