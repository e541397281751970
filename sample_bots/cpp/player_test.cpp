// Questions are answered by their numbers, matches are started, remembered and ended, failures are told.

#include <iostream>
#include <stdexcept>

#include "referee.h"

using referee::v1::Answers;
using referee::v1::Turns;

static int failed = 0;

static void expect(bool true_here, const std::string &what) {
    if (true_here) return;
    ++failed;
    std::cerr << "FAILED: " << what << "\n";
}

static void ask(Turns &turns, uint64_t id, uint32_t match, const std::vector<std::string> &legal) {
    auto *question = turns.add_questions();
    question->set_id(id);
    question->set_match(match);
    for (const auto &move : legal) question->add_legal(move);
}

int main() {
    std::vector<std::string> told;
    Bot bot{"owl", [](Question &question) {
                if (question.legal()[0] == "throw") throw std::runtime_error("a mistake on purpose");
                question.note("x");
                std::string note;
                for (int i = 0; i < 600; ++i) note += "é";
                question.note(note);
                question.say("hello");
                return question.legal()[++std::any_cast<int &>(question.match.memory)];
            }};
    bot.match_started = [&](Match &match) {
        match.memory = 0;
        told.push_back("started " + std::to_string(match.start.match()));
    };
    bot.match_ended = [&](Match &match, const std::vector<int> &scores, const std::vector<int> &ranks) {
        told.push_back("ended " + std::to_string(std::any_cast<int &>(match.memory)) + match.events[0]);
        expect(scores == std::vector<int>{3, -4} && ranks == std::vector<int>{1, 2}, "scores and ranks");
    };
    std::vector<referee::v1::Answer> answers;
    Player player(
        bot, [&](const Answers &sent) { answers.insert(answers.end(), sent.answers().begin(), sent.answers().end()); });

    Turns begun;
    for (uint32_t number : {1u, 2u}) begun.add_starts()->set_match(number);
    begun.mutable_starts(0)->set_ready_question(UINT64_MAX);
    ask(begun, 7, 2, {"a", "b", "c"});
    expect(player.take(begun).empty(), "the first message");
    expect(answers[0].question() == UINT64_MAX && answers[0].has_index() && answers[0].index() == 0, "it is ready");
    expect(answers[1].question() == 7 && answers[1].index() == 1, "the first answer");
    expect(answers[1].note().size() == 1024 && answers[1].say() == "hello", "note and talk");

    Turns ended;
    ask(ended, 8, 2, {"a", "b", "c"});
    auto *end = ended.add_ends();
    end->set_match(2);
    end->add_events("over");
    for (int score : {3, -4}) end->add_scores(score);
    for (int rank : {1, 2}) end->add_ranks(rank);
    expect(player.take(ended).empty(), "the second message");
    expect(answers[2].question() == 8 && answers[2].index() == 2, "a match has its memory");
    expect(told == std::vector<std::string>{"started 1", "started 2", "ended 2over"}, "start and end");

    Turns thrown;
    ask(thrown, 9, 1, {"a", "b"});
    ask(thrown, 10, 1, {"throw"});
    expect(player.take(thrown) == "owl failed in choose, in match 1: a mistake on purpose", "what it threw");
    expect(answers.size() == 4 && answers[3].question() == 9, "the answer before");
    return failed ? 1 : 0;
}
