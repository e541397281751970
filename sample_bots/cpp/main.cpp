// A bot for arena: `bot` plays Coch, `bot random` plays any game by chance.

#include <iostream>

#include "coch.h"

int main(int count, char** words) {
    bool random = count > 1 && std::string(words[1]) == "random";
    auto any = [](const referee::v1::Question& question, Match& match) { return match.below(question.legal_size()); };
    auto error = random ? play("cpp-random", {}, any) : play("cpp-sensible", {"coch"}, sensible);
    if (error.empty()) return 0;
    std::cerr << error << "\n";
    return 1;
}
