/* Cucco by counting cards: keep a card if at least half of those that may be anywhere are weaker. */
#include "cucco.h"

#include "json.h"

enum { LOWEST = -4, CUCKOO = 15, KINDS = CUCKOO - LOWEST + 1, COPIES = 2 };

/* Takes the cards of an array that we can see out of those that may be anywhere. */
static void seen(const char *array, int left[KINDS]) {
    for (const char *card = json_first(array); card; card = json_next(card)) {
        long number = json_number(card, 99);
        if (number >= LOWEST && number <= CUCKOO && left[number - LOWEST] > 0) left[number - LOWEST]--;
    }
}

/* Returns whether at least half of the cards that may be anywhere are weaker than ours. */
static int worth_keeping(const char *view) {
    long card = json_number(json_find(view, "card"), 4);
    int left[KINDS], weaker = 0, all = 0;
    for (int kind = 0; kind < KINDS; kind++) left[kind] = COPIES;
    left[CUCKOO - LOWEST] = (int)json_number(json_find(view, "cuckoos"), COPIES);
    seen(json_find(view, "discards"), left);
    seen(json_find(view, "known"), left);
    for (int kind = 0; kind < KINDS; kind++) {
        all += left[kind];
        if (kind + LOWEST < card) weaker += left[kind];
    }
    return 2 * weaker >= all;
}

const char *count_cards(struct question *question) {
    if (is_legal(question, "pass")) return "pass"; /* a cuckoo in our hand, before somebody else's turn */
    note(question, "holding %ld", json_number(json_find(question->view, "card"), 4));
    const char *move = worth_keeping(question->view) ? "keep" : "exchange";
    return is_legal(question, move) ? move : legal_move(question, 0);
}
