// The first legal move of a question is what the test wants to see.

#include "conformance.h"

#include <chrono>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "referee/v1/cambio.pb.h"

namespace {

struct Memory {
    int asked = 0;
};

template <class Values> std::string joined(const Values &values) {
    std::ostringstream text;
    const char *before = "";
    for (const auto &value : values) text << before << value, before = ";";
    return text.str();
}

void tell(Question &question, int asked) {
    const auto &start = question.match.start;
    referee::v1::CambioView view;
    if (!view.ParseFromString(question.view())) throw std::runtime_error("this is no view of Cambio");
    std::map<std::string, std::string> sorted(start.options().begin(), start.options().end());
    std::vector<std::string> options;
    for (const auto &[name, value] : sorted) options.push_back(name + "=" + value);
    std::ostringstream match, times, told;
    match << "match " << start.match() << " of " << start.game() << " " << start.behaviour() << ", seat "
          << start.seat() << " of " << start.seats() << ", options " << joined(options) << ", names "
          << joined(start.names());
    times << std::boolalpha << "move time " << start.move_time_ms() << ", bank " << start.bank_ms() << ", fischer "
          << start.fischer() << ", ready time " << start.ready_time_ms();
    told << std::boolalpha << "card " << view.card() << ", events " << joined(question.events()) << ", bank "
         << question.bank_ms() << ", charged " << question.charged_us() << ", again " << question.again() << ", asked "
         << asked;
    question.note(match.str());
    question.note(times.str());
    question.note(told.str());
    question.say("never heard");
    question.say("seat " + std::to_string(start.seat()) + " greets");
}

// Looks ahead, and notes what it sees.
void look(Question &question) {
    auto position = question.position();
    Search search;
    search.worlds = 20;
    search.policy = "counter";
    question.note(position.evaluate(search).note());
    search.observers = "own";
    search.most_nodes = 9;
    question.note(position.search(search).note());
    auto worlds = position.worlds(2);
    auto copy = worlds[0].played({"keep"});
    auto lines = joined(copy.view(question.match.start.seat()).lines());
    referee::v1::ModelRequest drop;
    for (const World &world : {worlds[0], worlds[1], copy}) drop.mutable_drop()->add_worlds(world.state.world());
    auto kept = position.ask(drop).dropped().kept();
    std::ostringstream told;
    told << "worlds " << worlds[0].state.world() << ";" << worlds[1].state.world() << ", copy " << copy.state.world()
         << " asks seat " << copy.state.asked(0).seat() << ", lines " << lines << ", kept " << kept;
    question.note(told.str());
    try {
        position.worlds(1000000);
    } catch (const ModelFailure &failure) { question.note(failure.what()); }
}

std::string choose(Question &question) {
    const auto &legal = question.legal();
    int asked = ++std::any_cast<Memory &>(question.match.memory).asked;
    if (legal[0] == "tell") {
        tell(question, asked);
    } else if (legal[0] == "long") {
        std::string note;
        for (int i = 0; i < 600; ++i) note += "é";
        question.note(note);
    } else if (legal[0] == "draw") {
        return legal[1 + question.match.below(legal.size() - 1)];
    } else if (legal[0] == "illegal") {
        return "fly";
    } else if (legal[0] == "think") {
        auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(40);
        while (std::chrono::steady_clock::now() < end) continue;
    } else if (legal[0] == "keep") {
        look(question);
    } else if (legal[0] == "throw") {
        throw std::runtime_error("a mistake on purpose");
    }
    return legal[legal.size() - 1];
}

void started(Match &match) {
    match.memory = Memory{};
    const auto &start = match.start;
    std::cerr << "started: match " << start.match() << " of " << start.game() << ", seat " << start.seat() << " of "
              << start.seats() << std::endl;
}

void ended(Match &match, const std::vector<int> &scores, const std::vector<int> &ranks) {
    std::cerr << "ended: match " << match.start.match() << ", scores " << joined(scores) << ", ranks " << joined(ranks)
              << ", events " << joined(match.events) << ", asked " << std::any_cast<Memory &>(match.memory).asked
              << std::endl;
}

} // namespace

Bot conformance() {
    Bot bot{"conformance", choose, {"cambio"}, "1.2.3", 7};
    bot.wants_events = bot.wants_ready = bot.wants_positions = true;
    bot.match_started = started;
    bot.match_ended = ended;
    return bot;
}
