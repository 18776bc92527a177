/* A bot for CodinGame's Tron Battle that moves to a free cell. Put your own code into `choose`.
 * The same file plays in the arena and here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 30, HEIGHT = 20, PLAYERS = 4, FREE = -1 };

static const char *const WORDS[4] = {"LEFT", "RIGHT", "UP", "DOWN"};
static const int DX[4] = {-1, 1, 0, 0}, DY[4] = {0, 0, -1, 1};

static int owner[WIDTH][HEIGHT];            /* player of each occupied cell, or FREE */
static int head_x[PLAYERS], head_y[PLAYERS]; /* head of each player; x is -1 once it is out */

static int is_free(int x, int y) {
    return 0 <= x && x < WIDTH && 0 <= y && y < HEIGHT && owner[x][y] == FREE;
}

/* Returns your move: LEFT, RIGHT, UP or DOWN, within 100 ms (1 s for the first one). */
static const char *choose(int me) {
    int first = rand() % 4;
    for (int turn = 0; turn < 4; turn++) {
        int way = (first + turn) % 4;
        if (is_free(head_x[me] + DX[way], head_y[me] + DY[way])) return WORDS[way];
    }
    return WORDS[0];
}

static void forget(int player) { /* its trail disappears */
    for (int x = 0; x < WIDTH; x++)
        for (int y = 0; y < HEIGHT; y++)
            if (owner[x][y] == player) owner[x][y] = FREE;
}

int main(void) {
    int players, me, x, y;
    memset(owner, -1, sizeof owner); /* FREE */
    while (scanf("%d %d", &players, &me) == 2) {
        for (int player = 0; player < players; player++) {
            if (scanf("%d %d %d %d", &x, &y, &head_x[player], &head_y[player]) != 4) return 1;
            if (head_x[player] < 0) {
                forget(player);
            } else {
                owner[x][y] = owner[head_x[player]][head_y[player]] = player;
            }
        }
        /* Notes go to standard error: fprintf(stderr, ...). */
        puts(choose(me));
        fflush(stdout);
    }
    return 0;
}
