// A model server is told and asked in order, until it is gone.

#include "model.h"

#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <unistd.h>

#include <iostream>

#include "referee.h"

using namespace referee::v1;
using google::protobuf::util::ParseDelimitedFromZeroCopyStream;
using google::protobuf::util::SerializeDelimitedToFileDescriptor;

static int failed = 0;

static void expect(bool true_here, const std::string &what) {
    if (true_here) return;
    ++failed;
    std::cerr << "FAILED: " << what << "\n";
}

// Pipes to and from a server that has responses ready, and ends after them.
struct Served {
    int requests[2], responses[2];

    explicit Served(const std::vector<ModelResponse> &ready) {
        if (pipe(requests) != 0 || pipe(responses) != 0) std::exit(1);
        for (const auto &response : ready) SerializeDelimitedToFileDescriptor(response, responses[1]);
        close(responses[1]);
    }

    // Returns what was asked.
    std::vector<ModelRequest> asked() {
        google::protobuf::io::FileInputStream input(requests[0]);
        std::vector<ModelRequest> all;
        ModelRequest request;
        while (ParseDelimitedFromZeroCopyStream(&request, &input, nullptr)) {
            all.push_back(request);
            request.Clear();
        }
        return all;
    }
};

static ModelResponse world(uint64_t number) {
    ModelResponse response;
    response.mutable_worlds()->add_worlds()->set_world(number);
    return response;
}

static void asks_until_it_is_gone() {
    ModelResponse error;
    error.mutable_error()->set_reason(ModelError::REASON_LIMIT);
    error.mutable_error()->set_sentence("fewer");
    Served served({world(7), world(8), error});
    {
        ModelServer server(served.requests[1], served.responses[0]);
        Position position(3, server);
        auto drawn = position.worlds(1);
        expect(drawn[0].played({"keep"}).state.world() == 8, "a copy");
        for (const std::string wanted : {"fewer", "the model server is gone, the bot goes on without it"}) {
            try {
                position.evaluate();
                expect(false, "a failure");
            } catch (const ModelFailure &failure) {
                expect(failure.what() == wanted, wanted);
                expect((failure.reason == ModelError::REASON_LIMIT) == (wanted == "fewer"), "its reason");
            }
        }
    }
    auto asked = served.asked();
    expect(asked.size() == 4 && asked[0].worlds().match() == 3 && asked[1].steps().steps(0).world() == 7 &&
               asked[1].steps().steps(0).copy() && asked[2].has_evaluate(),
           "the requests");
}

static void passes_on_what_it_hears() {
    Turns turns;
    turns.add_starts()->set_match(1);
    auto *question = turns.add_questions();
    question->set_match(1);
    question->add_legal("keep");
    question->add_events("[0,1]");
    ModelResponse lines;
    *lines.mutable_lines() = turns;
    lines.mutable_lines()->mutable_questions(0)->set_events(0, "set 1 begins");
    Served served({lines});
    std::vector<std::string> heard;
    Bot bot{"owl", [&](::Question &question) {
                heard.push_back(question.events().empty() ? "" : question.events()[0]);
                return question.legal()[0];
            }};
    bot.wants_events = true;
    {
        ModelServer server(served.requests[1], served.responses[0]);
        Player player(bot, [](const Answers &) {}, &server);
        expect(player.take(turns).empty() && player.take(turns).empty(), "two messages");
    }
    expect(heard == std::vector<std::string>{"set 1 begins", ""}, "lines, as long as there is a server");
    auto asked = served.asked();
    expect(asked.size() == 3 && asked[0].has_lines() && asked[1].has_answers(), "what is passed on");
}

int main() {
    asks_until_it_is_gone();
    passes_on_what_it_hears();
    return failed;
}
