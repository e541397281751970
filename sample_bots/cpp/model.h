// Looking ahead: a model server beside the bot draws worlds and plays in them by the rules of the game.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "referee/v1/model.pb.h"

namespace google::protobuf::io {
class FileInputStream;
}

// Why a request was not fulfilled, and what to do.
class ModelFailure : public std::runtime_error {
public:
    ModelFailure(referee::v1::ModelError::Reason reason, const std::string &sentence)
        : std::runtime_error(sentence), reason(reason) {}

    // The kind of the failure; unspecified where there is no model server any more.
    referee::v1::ModelError::Reason reason;
};

// The program that looks ahead. It knows what it is told, and ends with the bot.
class ModelServer {
public:
    // Starts the program, with the Python that has arena.
    ModelServer();
    // Writes requests to one descriptor, and reads responses from another one; closes both.
    ModelServer(int requests, int responses);
    ~ModelServer();
    ModelServer(const ModelServer &) = delete;
    ModelServer &operator=(const ModelServer &) = delete;

    // Passes on answers, as they were sent. Where the server is gone, whoever looks ahead is told.
    void tell(const referee::v1::Answers &answers);
    // Passes on turns, and returns them with lines of the log as events where these are wanted.
    referee::v1::Turns hear(const referee::v1::Turns &turns, bool wants_events);
    // Returns the response to a request. Throws ModelFailure.
    referee::v1::ModelResponse ask(const referee::v1::ModelRequest &request);

private:
    bool write(const referee::v1::ModelRequest &request);
    [[noreturn]] void fail();
    void open(int requests, int responses);

    int requests_ = -1, responses_ = -1;
    std::unique_ptr<google::protobuf::io::FileInputStream> input_;
    pid_t program_ = 0;
    std::string failure_;
};

// How to evaluate or search: in so many worlds, for so long, or with neither as the clock of the match allows.
struct Search {
    // The most worlds. 0: any number.
    uint32_t worlds = 0;
    // The most time. 0: no limit of its own.
    std::chrono::milliseconds time{0};
    // Who plays in playouts: "base" (by rules of thumb, where a package has them for the game, else learnt), "learnt"
    // (what has done well in the playouts before), "random", or a sample bot that plays the game. Empty: base.
    std::string policy = {};
    // Of `search` alone: whose eyes tell nodes of the tree apart, "every" or "own". Empty: every.
    std::string observers = {};
    // Of `search` alone: how many nodes the tree may have. 0: 50,000.
    uint32_t most_nodes = 0;
};

// A complete state of the match. It is kept until it is dropped, or its question is answered. All functions throw
// ModelFailure.
class World {
public:
    World(referee::v1::World state, ModelServer &server) : state(std::move(state)), server_(&server) {}

    // The world as it stands: its number, who is asked with the legal moves, scores and ranks.
    referee::v1::World state;

    // Plays a legal move of each seat of state.asked(), in their order.
    void play(const std::vector<std::string> &moves) { state = step(moves, false); }
    // Returns a copy of the world in which moves are played; the world stays as it is.
    World played(const std::vector<std::string> &moves) const { return World(step(moves, true), *server_); }
    // Returns what a seat sees in the world, as in question.view(), and the lines of the log since the question.
    referee::v1::WorldView view(uint32_t seat) const;
    // Makes room for other worlds.
    void drop() const;

private:
    referee::v1::World step(const std::vector<std::string> &moves, bool copy) const;

    ModelServer *server_;
};

// A question as its seat knows it. What is drawn and played from it ends with the question. All functions throw
// ModelFailure.
class Position {
public:
    Position(uint32_t match, ModelServer &server) : match_(match), server_(&server) {}

    // Plays each legal move in the same worlds, and these on: best() is the best move, moves() has the mean and the
    // standard error of each, the best first, and note() says so in a line.
    referee::v1::Evaluation evaluate(const Search &search = {}) const;
    // Does the same by a tree search, whose tree grows where moves turn out well for whoever makes them. It needs more
    // playouts to be better than `evaluate`.
    referee::v1::Evaluation search(const Search &search = {}) const;
    // Draws worlds that the seat cannot tell from the real one.
    std::vector<World> worlds(uint32_t count) const;
    // Makes any request to the model server: the comments of ModelRequest say what there is.
    referee::v1::ModelResponse ask(const referee::v1::ModelRequest &request) const { return server_->ask(request); }

private:
    uint32_t match_;
    ModelServer *server_;
};
