/* A bot for CodinGame's Oware Abapa that plays legal moves. Put your own code into `choose`.
 * The same file plays in the arena and here. */
#include <stdio.h>
#include <stdlib.h>

enum { ROW = 6, PITS = 12 };

/* Returns 1 if the pit may be sown: an opponent without seeds must get some. */
static int is_legal(const int *pits, int pit) {
    int theirs = 0;
    for (int i = ROW; i < PITS; i++) theirs += pits[i];
    return pits[pit] > (theirs ? 0 : ROW - 1 - pit);
}

/* Returns your move: a pit from 0 to 5, within 50 ms (1 s for the first one). `pits` holds the
 * seeds of your six pits, then of the opponent's six, in sowing order. */
static int choose(const int *pits) {
    int first = rand() % ROW;
    for (int turn = 0; turn < ROW; turn++) {
        int pit = (first + turn) % ROW;
        if (is_legal(pits, pit)) return pit;
    }
    return first;
}

int main(void) {
    int pits[PITS];
    for (;;) {
        for (int i = 0; i < PITS; i++)
            if (scanf("%d", &pits[i]) != 1) return 0;
        /* Notes go to standard error: fprintf(stderr, ...). */
        printf("%d\n", choose(pits));
        fflush(stdout);
    }
}
