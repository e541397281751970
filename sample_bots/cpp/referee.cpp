#include "referee.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "referee/v1/play.grpc.pb.h"

using namespace referee::v1;
using Clock = std::chrono::steady_clock;

namespace {

// Finished answers are sent after this time at the latest, so that their clock stops.
constexpr auto kFlushAfter = std::chrono::milliseconds(20);

// How many bytes of a note, of talk or of a move the protocol allows.
constexpr size_t kLongestText = 1024;

// Shortens a text to what the protocol allows, at the end of a character.
std::string cut(const std::string &text) {
    if (text.size() <= kLongestText) return text;
    size_t end = kLongestText;
    while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

} // namespace

std::string Player::take(const Turns &turns) {
    std::string failed;
    try {
        server_ ? play(server_->hear(turns, bot_.wants_events)) : play(turns);
    } catch (const std::exception &thrown) { failed = failure(thrown.what()); } catch (...) {
        failed = failure("something that is no std::exception");
    }
    if (!failed.empty()) flush(); // or the referee would ask again
    return failed;
}

std::string Player::failure(const std::string &thrown) const {
    return bot_.name + " failed in " + doing_ + ", in match " + std::to_string(number_) + ": " + thrown;
}

void Player::play(const Turns &turns) {
    for (const auto &begun : turns.starts()) start(begun);
    auto flushed = Clock::now();
    for (const auto &asked : turns.questions()) {
        answer(asked);
        if (Clock::now() > flushed + kFlushAfter) {
            flush();
            flushed = Clock::now();
        }
    }
    flush();
    for (const auto &ended : turns.ends()) end(ended);
}

void Player::start(const MatchStart &start) {
    std::seed_seq seed(start.bot_seed().begin(), start.bot_seed().end());
    auto &match = matches_[start.match()] = Match{start, std::mt19937_64(seed), {}, {}};
    doing_ = "match_started", number_ = start.match();
    if (bot_.match_started) bot_.match_started(match);
    if (start.ready_question() == 0) return;
    auto *ready = answers_.add_answers();
    ready->set_question(start.ready_question());
    ready->set_index(0);
    flush();
}

void Player::answer(const referee::v1::Question &asked) {
    ::Question question(asked, matches_.at(asked.match()), server_);
    doing_ = "choose", number_ = asked.match();
    std::string move = bot_.choose(question);
    auto *answer = answers_.add_answers();
    answer->set_question(asked.id());
    answer->set_note(cut(question.note_));
    answer->set_say(cut(question.said_));
    auto found = std::find(asked.legal().begin(), asked.legal().end(), move);
    if (found != asked.legal().end()) {
        answer->set_index(static_cast<uint32_t>(found - asked.legal().begin()));
        return;
    }
    answer->set_text(cut(move)); // the referee punishes it
    std::cerr << "choose returned \"" << move << "\", not a legal move in match " << asked.match() << ": return one of";
    for (const auto &legal : asked.legal()) std::cerr << " \"" << legal << "\"";
    std::cerr << std::endl;
}

void Player::end(const MatchEnd &end) {
    auto ended = matches_.extract(end.match());
    Match &match = ended.mapped();
    match.events.assign(end.events().begin(), end.events().end());
    doing_ = "match_ended", number_ = end.match();
    std::vector<int> scores(end.scores().begin(), end.scores().end()), ranks(end.ranks().begin(), end.ranks().end());
    if (bot_.match_ended) bot_.match_ended(match, scores, ranks);
}

void Player::flush() {
    if (answers_.answers_size() == 0) return;
    send_(answers_);
    if (server_) server_->tell(answers_);
    answers_.Clear();
}

std::string play(const Bot &bot) {
    const char *address = std::getenv("ARENA_ADDRESS");
    const char *token = std::getenv("ARENA_TOKEN");
    if (!address || !token) return "a referee starts this bot: README.md has the commands";

    std::unique_ptr<ModelServer> server;
    try {
        if (bot.wants_positions) server = std::make_unique<ModelServer>();
    } catch (const std::runtime_error &error) { return error.what(); }
    grpc::ChannelArguments arguments;
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    arguments.SetMaxReceiveMessageSize(-1);
    auto channel = grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
    auto stub = BotService::NewStub(channel);
    grpc::ClientContext context;
    auto stream = stub->Play(&context);

    PlayRequest request;
    auto *hello = request.mutable_hello();
    hello->add_protocols(1);
    hello->set_token(token);
    hello->set_name(bot.name);
    hello->set_version(bot.version);
    for (const auto &game : bot.games) hello->add_games(game);
    hello->set_matches_at_once(bot.matches_at_once);
    hello->set_wants_events(bot.wants_events || bot.wants_positions);
    hello->set_wants_values(bot.wants_positions);
    hello->set_wants_ready(bot.wants_ready);
    stream->Write(request);

    auto send = [&](const Answers &answers) {
        *request.mutable_answers() = answers;
        stream->Write(request); // a stream that is gone ends the loop below
    };
    Player player(bot, send, server.get());
    std::string failed;
    PlayResponse response;
    while (failed.empty() && stream->Read(&response)) {
        if (response.has_refusal()) return "refused: " + response.refusal().sentence();
        failed = player.take(response.turns());
    }
    stream->WritesDone();
    while (!failed.empty() && stream->Read(&response)) continue; // the referee takes what was sent before it ends
    auto status = stream->Finish();
    return failed.empty() && !status.ok() ? status.error_message() : failed;
}
