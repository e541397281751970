/* A bot for arena in plain C: `bot` plays Cucco by counting cards, `bot random` plays any game by chance, `bot
 * searcher` by looking ahead. */
#include "conformance.h"
#include "cucco.h"

#include <string.h>

static const char *random_move(struct question *question) {
    return legal_move(question, below(question->match, count_legal(question)));
}

static const char *search(struct question *question) {
    const char *move = count_legal(question) > 1 ? best_move(question, 0, NULL) : NULL;
    return move ? move : random_move(question);
}

static const struct bot counter = {.name = "c-counter", .game = "cucco", .choose = count_cards};
static const struct bot chance = {.name = "c-random", .choose = random_move};
static const struct bot searcher = {.name = "c-searcher", .matches_at_once = 1, .wants_positions = 1, .choose = search};

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "";
    play(strcmp(word, "random") == 0        ? &chance
         : strcmp(word, "searcher") == 0    ? &searcher
         : strcmp(word, "conformance") == 0 ? &conformance
                                            : &counter);
    return 0;
}
