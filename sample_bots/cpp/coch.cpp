// Coch by card sense: lead what is strong, take what the other side is winning, feed one's own side.

#include "coch.h"

#include <algorithm>
#include <string>

#include "referee/v1/coch.pb.h"

namespace {

bool number(int card) { return card >= 1 && card <= 10; }

// The strength of a card within its type; the lion (-3) beats all other pictures.
int strength(int card) { return card == -3 ? 99 : card; }

// Twice the points of a card.
int worth(int card) { return card == -3 || card >= 10 ? 2 : card >= 5 ? 1 : 0; }

} // namespace

std::string sensible(Question &question) {
    referee::v1::CochView view;
    view.ParseFromString(question.view());
    int winning = 0; // the place of the strongest card of the base type, of equal ones the first
    for (int place = 1; place < view.table_size(); ++place) {
        int card = view.table(place), best = view.table(winning);
        if (number(card) == number(view.table(0)) && strength(card) > strength(best)) winning = place;
    }
    // The partner played two cards before us.
    bool ours = view.table_size() >= 2 && winning == view.table_size() - 2;
    int best = 0, most = -1000;
    for (int index = 0; index < question.legal().size(); ++index) {
        const std::string &move = question.legal()[index];
        int card = std::stoi(move.substr(move.find(' ')));
        int value = 0;
        if (view.table_size() == 0) {
            value = strength(card);
        } else if (ours) {
            value = 100 * worth(card) - strength(card);
        } else {
            bool beats = number(card) == number(view.table(0)) && strength(card) > strength(view.table(winning));
            value = beats ? 500 + strength(card) : -100 * worth(card) - strength(card);
        }
        if (value > most) most = value, best = index;
    }
    question.note(ours ? "our side is winning" : "on our own");
    return question.legal()[best];
}
