// A bot for arena: `bot` plays Coch, `bot random` plays any game by chance.

#include <iostream>

#include "coch.h"
#include "conformance.h"

static std::string any(Question &question) { return question.legal()[question.match.below(question.legal().size())]; }

int main(int count, char **words) {
    std::string word = count > 1 ? words[1] : "";
    Bot bot{"cpp-sensible", sensible, {"coch"}};
    if (word == "random") bot = Bot{"cpp-random", any};
    if (word == "conformance") bot = conformance();
    auto error = play(bot);
    if (error.empty()) return 0;
    std::cerr << error << std::endl;
    return 1;
}
