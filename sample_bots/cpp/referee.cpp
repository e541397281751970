#include "referee.h"

#include <grpcpp/grpcpp.h>

#include <cstdlib>

#include "referee/v1/play.grpc.pb.h"

using namespace referee::v1;

Answers answer(const Turns& turns, std::map<unsigned, Match>& matches, const Choose& choose, const Started& started) {
    Answers answers;
    for (const auto& start : turns.starts()) {
        std::seed_seq seed(start.bot_seed().begin(), start.bot_seed().end());
        auto& match = matches[start.match()] = Match{start, std::mt19937_64(seed)};
        if (started && start.ready_question() != 0) {
            started(match);
            auto* ready = answers.add_answers();
            ready->set_question(start.ready_question());
            ready->set_index(0);
        }
    }
    for (const auto& question : turns.questions()) {
        auto* given = answers.add_answers();
        given->set_question(question.id());
        given->set_index(choose(question, matches[question.match()]));
    }
    for (const auto& end : turns.ends()) matches.erase(end.match());
    return answers;
}

std::string play(const std::string& name, const std::vector<std::string>& games, const Choose& choose,
                 const Started& started) {
    const char* address = std::getenv("ARENA_ADDRESS");
    const char* token = std::getenv("ARENA_TOKEN");
    if (!address || !token) return "a referee starts this bot: README.md has the commands";

    grpc::ChannelArguments arguments;
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    arguments.SetMaxReceiveMessageSize(-1);
    auto channel = grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
    auto stub = BotService::NewStub(channel);
    grpc::ClientContext context;
    auto stream = stub->Play(&context);

    PlayRequest request;
    request.mutable_hello()->add_protocols(1);
    request.mutable_hello()->set_token(token);
    request.mutable_hello()->set_name(name);
    for (const auto& game : games) request.mutable_hello()->add_games(game);
    request.mutable_hello()->set_wants_ready(bool(started));
    stream->Write(request);

    std::map<unsigned, Match> matches;
    PlayResponse response;
    while (stream->Read(&response)) {
        if (response.has_refusal()) return "refused: " + response.refusal().sentence();
        if (!response.has_turns()) continue;
        *request.mutable_answers() = answer(response.turns(), matches, choose, started);
        if (request.answers().answers_size() > 0 && !stream->Write(request)) break;
    }
    stream->WritesDone();
    auto status = stream->Finish();
    return status.ok() ? "" : status.error_message();
}
