// A bot for arena: `bot` plays Coch, `bot random` plays any game by chance, `bot searcher` by looking ahead.

#include <iostream>

#include "coch.h"
#include "conformance.h"

static std::string any(Question &question) { return question.legal()[question.match.below(question.legal().size())]; }

// Plays the move that turns out best in playouts, for as long as the clock of the match allows.
static std::string search(Question &question) {
    try {
        auto found = question.position().evaluate();
        question.note(found.note());
        return found.best();
    } catch (const ModelFailure &failure) {
        question.note(failure.what());
        return any(question);
    }
}

int main(int count, char **words) {
    std::string word = count > 1 ? words[1] : "";
    Bot bot{"cpp-sensible", sensible, {"coch"}};
    if (word == "random") bot = Bot{"cpp-random", any};
    if (word == "searcher") {
        bot = Bot{"cpp-searcher", search};
        bot.matches_at_once = 1;
        bot.wants_positions = true;
    }
    if (word == "conformance") bot = conformance();
    auto error = play(bot);
    if (error.empty()) return 0;
    std::cerr << error << std::endl;
    return 1;
}
