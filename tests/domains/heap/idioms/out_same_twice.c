// The range of some numbers by two out-parameters, which may be one and the same
#include <assert.h>

int __VERIFIER_nondet_int(void);

#define N 4

static void range(const int *numbers, int n, int *low, int *high) {
    *low = *high = 0;
    for (int i = 1; i < n; i++) {
        if (numbers[i] < numbers[*low])
            *low = i;
        if (numbers[i] > numbers[*high])
            *high = i;
    }
}

static int place_of_largest(const int *numbers, int n) {
    int place;
#ifdef BUG
    range(numbers, n, &place, &place);
#else
    int ignored;
    range(numbers, n, &ignored, &place);
#endif
    return place;
}

static void fill(int *numbers, int n) {
    for (int i = 0; i < n; i++)
        numbers[i] = __VERIFIER_nondet_int() > 0 ? i : -i;
}

int main(void) {
    int numbers[N];
    int place;
    fill(numbers, N);
    place = place_of_largest(numbers, N);
    assert(numbers[place] >= numbers[1]); /*L*/
    return numbers[place] != 0;
}
