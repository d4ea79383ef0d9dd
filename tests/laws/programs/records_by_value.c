extern int __VERIFIER_nondet_int(void);
struct point { int x, y; };
struct line { struct point from, to; struct point *mark; };
static struct point moved(struct point p, int by) { p.x += by; p.y -= by; return p; }
static struct line between(struct point a, struct point b) {
    struct line line = {a, b, 0};
    line.mark = &line.to;
    return line;
}
static int length(struct line line) { return line.to.x - line.from.x + (line.mark == &line.to); }
int main(void) {
    struct point p = {__VERIFIER_nondet_int() % 9, 2}, q = moved(moved(p, 1), p.x);
    struct line line = between(p, q), other = line;
    other.mark = &other.from;
    *other.mark = q;
    return length(other) + length(line) + line.from.y;
}
