/* A bot for arena in plain C: `bot` plays Cucco by counting cards, `bot random` plays any game by chance. */
#include "cucco.h"

#include <string.h>

static long random_move(const struct question *question) { return below(question->match, count_legal(question)); }

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "random") == 0)
        play("c-random", NULL, random_move);
    else
        play("c-counter", "cucco", count_cards);
    return 0;
}
