#include "model.h"

#include <fcntl.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

using namespace referee::v1;
using google::protobuf::io::FileInputStream;
using google::protobuf::util::ParseDelimitedFromZeroCopyStream;
using google::protobuf::util::SerializeDelimitedToFileDescriptor;

extern char **environ;

ModelServer::ModelServer() {
    // Without the variable it is a remote bot, whose owner has installed botarena.
    const char *python = std::getenv("ARENA_PYTHON");
    if (!python) python = "python3";
    int to_server[2], from_server[2];
    if (pipe2(to_server, O_CLOEXEC) != 0 || pipe2(from_server, O_CLOEXEC) != 0)
        throw std::runtime_error("there is no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to_server[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from_server[1], STDOUT_FILENO);
    std::string words[] = {python, "-I", "-m", "arena.model_server"};
    char *arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
    int error = posix_spawnp(&program_, python, &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to_server[0]);
    close(from_server[1]);
    open(to_server[1], from_server[0]);
    if (error != 0) {
        program_ = 0;
        throw std::runtime_error(std::string("the model server cannot be started: ") + std::strerror(error) +
                                 "; set ARENA_PYTHON to a Python that has botarena");
    }
}

ModelServer::ModelServer(int requests, int responses) { open(requests, responses); }

void ModelServer::open(int requests, int responses) {
    std::signal(SIGPIPE, SIG_IGN); // a server that is gone is told by `write`
    requests_ = requests, responses_ = responses;
    input_ = std::make_unique<FileInputStream>(responses);
}

ModelServer::~ModelServer() {
    if (requests_ >= 0) close(requests_);
    if (responses_ >= 0) close(responses_);
    if (program_ > 0) waitpid(program_, nullptr, 0);
}

void ModelServer::tell(const Answers &answers) {
    ModelRequest request;
    *request.mutable_answers() = answers;
    write(request);
}

Turns ModelServer::hear(const Turns &turns, bool wants_events) {
    ModelRequest request;
    if (!wants_events) {
        *request.mutable_turns() = turns;
        write(request);
        return turns;
    }
    *request.mutable_lines() = turns;
    try {
        return ask(request).lines();
    } catch (const ModelFailure &) {
        Turns told = turns; // nobody is left to make lines of values
        for (auto &question : *told.mutable_questions()) question.clear_events();
        for (auto &end : *told.mutable_ends()) end.clear_events();
        return told;
    }
}

ModelResponse ModelServer::ask(const ModelRequest &request) {
    ModelResponse response;
    bool ended = false;
    if (!write(request) || !ParseDelimitedFromZeroCopyStream(&response, input_.get(), &ended)) fail();
    if (response.has_error()) throw ModelFailure(response.error().reason(), response.error().sentence());
    return response;
}

bool ModelServer::write(const ModelRequest &request) {
    return failure_.empty() && SerializeDelimitedToFileDescriptor(request, requests_);
}

void ModelServer::fail() {
    if (failure_.empty()) {
        failure_ = "the model server is gone, the bot goes on without it";
        close(requests_);
        requests_ = -1;
        int status = 0;
        if (program_ > 0 && waitpid(program_, &status, 0) == program_) {
            failure_ += WIFSIGNALED(status) ? ": signal " + std::to_string(WTERMSIG(status))
                                            : ": exit code " + std::to_string(WEXITSTATUS(status));
            program_ = 0;
        }
    }
    throw ModelFailure(ModelError::REASON_UNSPECIFIED, failure_);
}

Evaluation Position::evaluate(const Search &search) const {
    ModelRequest request;
    auto *evaluate = request.mutable_evaluate();
    evaluate->set_match(match_);
    evaluate->set_worlds(search.worlds);
    evaluate->set_time_ms(static_cast<uint32_t>(search.time.count()));
    evaluate->set_policy(search.policy);
    return ask(request).evaluation();
}

Evaluation Position::search(const Search &search) const {
    ModelRequest request;
    auto *tree = request.mutable_search();
    tree->set_match(match_);
    tree->set_worlds(search.worlds);
    tree->set_time_ms(static_cast<uint32_t>(search.time.count()));
    tree->set_policy(search.policy);
    tree->set_observers(search.observers);
    tree->set_most_nodes(search.most_nodes);
    return ask(request).evaluation();
}

std::vector<::World> Position::worlds(uint32_t count) const {
    ModelRequest request;
    request.mutable_worlds()->set_match(match_);
    request.mutable_worlds()->set_count(count);
    std::vector<::World> worlds;
    const auto response = ask(request);
    for (const auto &state : response.worlds().worlds()) worlds.emplace_back(state, *server_);
    return worlds;
}

referee::v1::World(::World::step)(const std::vector<std::string> &moves, bool copy) const {
    ModelRequest request;
    auto *step = request.mutable_steps()->add_steps();
    step->set_world(state.world());
    for (const auto &move : moves) step->add_moves(move);
    step->set_copy(copy);
    return server_->ask(request).worlds().worlds(0);
}

WorldView(::World::view)(uint32_t seat) const {
    ModelRequest request;
    request.mutable_view()->set_world(state.world());
    request.mutable_view()->set_seat(seat);
    return server_->ask(request).view();
}

void ::World::drop() const {
    ModelRequest request;
    request.mutable_drop()->add_worlds(state.world());
    server_->ask(request);
}
