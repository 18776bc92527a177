/* A bot for {title} that plays random legal moves. Put your own code into `choose`.
 *
 * Each line from the referee is one message, and its first word names the kind of message.
 * Ignore messages that you do not recognise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 65536, MOVES = 4096 };

/* Returns your move: one of the `count` words in `legal`. `seat` is your own seat, counted from 0:
 * seat 0 moves first. `state` is the position:
 * {state}
 * `milliseconds` is the time that you have, or -1 if there is no limit. To measure it (<time.h>):
 * `clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)`; under `--clock wall`, CLOCK_MONOTONIC. */
static const char *choose(int seat, const char *state, char **legal, int count, long milliseconds) {
    (void)seat;
    (void)state;
    (void)milliseconds;
    return legal[rand() % count];
}

int main(void) {
    static char line[LINE], state[LINE], moves[LINE];
    static char *legal[MOVES];
    int count = 0, seat = 0;
    /* Without line buffering, answers stay in a buffer and never reach the referee. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) { /* until the end of input, then the bot exits */
        char *word = strtok(line, " \r\n"), *rest = strtok(NULL, "\r\n");
        if (!word) continue;
        if (!rest) rest = "";
        if (!strcmp(word, "game")) { /* a new game: forget the last one */
            count = 0;
        } else if (!strcmp(word, "seats")) { /* for example `seats 2 you 0` */
            sscanf(rest, "%*d you %d", &seat);
        } else if (!strcmp(word, "seed")) { /* the same seed, the same game */
            srand((unsigned)strtoull(rest, NULL, 10));
        } else if (!strcmp(word, "begin")) { /* prepare here, then say the bot's name, one word; */
            puts("ready {name} again");      /* `again`: it can play another game afterwards */
        } else if (!strcmp(word, "state")) {
            strcpy(state, rest);
        } else if (!strcmp(word, "legal")) {
            strcpy(moves, rest);
            count = 0;
            for (char *move = strtok(moves, " "); move && count < MOVES; move = strtok(NULL, " "))
                legal[count++] = move;
        } else if (!strcmp(word, "go") && count > 0) {
            puts(choose(seat, state, legal, count, *rest ? atol(rest) : -1));
        } else if (!strcmp(word, "result")) { /* the scores by seat */
            /* Notes go to standard error: on standard output they would be answers. */
            fprintf(stderr, "result %s\n", rest);
        }
    }
    return 0;
}
