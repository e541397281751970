// The conversation with the referee.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "referee/v1/play.pb.h"

// One match of ours. All chance that a bot uses should come from `random`: it makes a match play the same again.
struct Match {
    referee::v1::MatchStart start;
    std::mt19937_64 random;
    // A number from 0 to n - 1; the same on every machine, as the standard's distributions are not.
    int below(int n) { return static_cast<int>(random() % static_cast<unsigned long>(n)); }
};

// Returns the index of a move in question.legal(); question.view() holds the bytes of the game's view.
using Choose = std::function<int(const referee::v1::Question&, Match&)>;

// Gets ready for a match, as it loads a network or clears a large table: no clock runs until it returns, but it has only
// match.start.ready_time_ms() milliseconds (0: no limit).
using Started = std::function<void(Match&)>;

// Takes in what one message tells, and returns the answers to all its questions, and that the bot is ready for matches.
referee::v1::Answers answer(const referee::v1::Turns& turns, std::map<unsigned, Match>& matches, const Choose& choose,
                            const Started& started = {});

// Plays until the referee ends the stream; with `started` the bot gets ready for each match. Returns what went wrong, or
// nothing.
std::string play(const std::string& name, const std::vector<std::string>& games, const Choose& choose,
                 const Started& started = {});
