/* Arrays of arrays, a variable length array and pointer arithmetic. */
#include <assert.h>
#include <stdio.h>

static int trace_of(int n, int matrix[n][n]) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += matrix[i][i];
    return sum;
}

int main(void) {
    int square[3][3] = {[0] = {1, 2, 3}, [1][1] = 5, [2] = {7, 8, 9}};
    assert(trace_of(3, square) == 15);
    int *flat = &square[0][0];
    int total = 0;
    for (int *p = flat; p != flat + 9; p++)
        total += *p;
    printf("%d\n", total);
    return total == 35 ? 0 : 1;
}
