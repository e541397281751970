// The conversation with the referee.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "model.h"
#include "referee/v1/play.pb.h"

// One match of the bot, from its start to its end.
struct Match {
    // What the referee tells of it: game, options, seats, own seat, names, times.
    referee::v1::MatchStart start;
    // The only chance that a bot should use: it makes the same match play the same again.
    std::mt19937_64 random;
    // Whatever the bot keeps for this match, as `match.memory = Memory{}` in match_started and
    // `std::any_cast<Memory&>(match.memory)` later.
    std::any memory;
    // The rest of the log, once the match has ended. Only with Bot::wants_events.
    std::vector<std::string> events;

    // A number from 0 to n - 1; the same on every machine, as the standard's distributions are not.
    int below(int n) { return static_cast<int>(random() % static_cast<unsigned long>(n)); }
};

// A question: choose one of legal().
class Question {
public:
    Question(const referee::v1::Question &asked, Match &match, ModelServer *server = nullptr)
        : match(match), asked_(asked), server_(server) {}

    Match &match;

    // The texts of all legal moves.
    const google::protobuf::RepeatedPtrField<std::string> &legal() const { return asked_.legal(); }
    // All that the seat may see, as the bytes of the message that match.start.view_type() names.
    const std::string &view() const { return asked_.view(); }
    // The lines of the log since the last question of this match. Only with Bot::wants_events.
    const google::protobuf::RepeatedPtrField<std::string> &events() const { return asked_.events(); }
    // What is left of the match's time bank, in milliseconds.
    uint32_t bank_ms() const { return asked_.bank_ms(); }
    // The time charged for the previous answer of this match, in microseconds.
    uint32_t charged_us() const { return asked_.charged_us(); }
    // Whether an earlier process of this bot failed to answer this question.
    bool again() const { return asked_.again(); }

    // What to look ahead from. Only with Bot::wants_positions.
    Position position() const {
        if (!server_) throw std::logic_error("looking ahead needs wants_positions in the bot");
        return Position(asked_.match(), *server_);
    }

    // Adds a line to the note of this answer, which the bot's owner finds in the replay.
    void note(const std::string &thought) { note_ += note_.empty() ? thought : "\n" + thought; }
    // Says something to the table with this answer, in games with table talk. It replaces what was said before.
    void say(const std::string &words) { said_ = words; }

private:
    friend class Player;
    const referee::v1::Question &asked_;
    ModelServer *server_;
    std::string note_, said_;
};

// A player: what it tells the referee of itself, and the functions that play. Only `choose` is needed. All functions
// are called one after the other, in one thread.
struct Bot {
    // What the bot calls itself, for its owner.
    std::string name;
    // Returns one of question.legal().
    std::function<std::string(Question &)> choose;
    // The ids of the games that it plays. None: any game.
    std::vector<std::string> games = {};
    // Its version, for its owner.
    std::string version = {};
    // The most matches that it plays at the same time. 0: no limit of its own.
    uint32_t matches_at_once = 0;
    // Whether it gets the lines of the log: question.events() and, at the end, match.events.
    bool wants_events = false;
    // Whether the referee waits for match_started: no clock runs until it returns, but it has only
    // match.start.ready_time_ms() milliseconds (0: no limit).
    bool wants_ready = false;
    // Whether it looks ahead, by question.position(): a model server is started beside the bot.
    bool wants_positions = false;
    // Called before the first question of a match.
    std::function<void(Match &)> match_started = {};
    // Called at the end of a match, with scores and ranks by seat; both are empty if the match did not end by its
    // rules.
    std::function<void(Match &, const std::vector<int> &scores, const std::vector<int> &ranks)> match_ended = {};
};

// Answers the questions of a stream.
class Player {
public:
    using Send = std::function<void(const referee::v1::Answers &)>;

    Player(const Bot &bot, Send send, ModelServer *server = nullptr)
        : bot_(bot), send_(std::move(send)), server_(server) {}

    // Takes in what one message tells, and answers all its questions. Returns what the bot threw, or nothing; the
    // answers before are sent all the same.
    std::string take(const referee::v1::Turns &turns);

private:
    void play(const referee::v1::Turns &turns);
    void start(const referee::v1::MatchStart &start);
    void answer(const referee::v1::Question &asked);
    void end(const referee::v1::MatchEnd &end);
    void flush();
    std::string failure(const std::string &thrown) const;

    const Bot &bot_;
    Send send_;
    ModelServer *server_; // null: the bot does not look ahead
    std::map<uint32_t, Match> matches_;
    referee::v1::Answers answers_;
    const char *doing_ = ""; // which function of the bot runs, and in which match: told where it throws
    uint32_t number_ = 0;
};

// Plays until the referee ends the stream. Returns what went wrong, or nothing; where the bot throws, its answers
// before count.
std::string play(const Bot &bot);
