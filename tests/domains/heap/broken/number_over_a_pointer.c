/* A number that lies where a member is a pointer. */
struct s { int n; int *p; };
static int put(struct s *a, long *b)
{
    *b = 0;
    return *a->p;
}
int main(void)
{
    int x = 1;
    struct s s = {2, &x};
    return put(&s, (long *)(void *)&s.p);
}
