/* A chess engine that does not think: it moves its knights to and fro, so that what is measured is the manager.
 *
 * It speaks as much UCI as a manager needs. White's knights come back after 6 moves and Black's after 10, so a
 * position returns every 30 moves only, and a game from the usual start ends after 50 moves of each side as a draw:
 * by the rule of 50 moves, before any position occurs three times.
 */
#include <stdio.h>
#include <string.h>

static const char *const WHITE[] = {"g1f3", "f3d4", "b1c3", "d4f3", "f3g1", "c3b1"};
static const char *const BLACK[] = {"g8h6", "h6f5", "f5d6", "d6b5", "b8c6", "b5d6", "d6f5", "f5h6", "h6g8", "c6b8"};

/* Return how many moves a line "position startpos moves e2e4 ..." has. */
static unsigned count_moves(const char *line) {
    const char *moves = strstr(line, " moves ");
    unsigned count = 0;
    if (moves)
        for (moves += 6; *moves; moves++)
            count += moves[0] == ' ' && moves[1] > ' ';
    return count;
}

int main(void) {
    static char line[1 << 16];
    unsigned played = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "position ", 9)) {
            played = count_moves(line);
            continue;
        }
        if (!strncmp(line, "go", 2))
            printf("info depth 1 score cp 0\nbestmove %s\n",
                   played % 2 ? BLACK[played / 2 % 10] : WHITE[played / 2 % 6]);
        else if (!strncmp(line, "isready", 7))
            puts("readyok");
        else if (!strncmp(line, "uci", 3) && line[3] != 'n')
            puts("id name shuffle\nid author arena\nuciok");
        else if (!strncmp(line, "quit", 4))
            break;
        else
            continue;
        fflush(stdout);
    }
    return 0;
}
