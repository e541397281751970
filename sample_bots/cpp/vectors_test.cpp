// The messages of the protocol's vectors are read and written, and questions are answered by their numbers.

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/wrappers.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "referee.h"

using google::protobuf::util::MessageDifferencer;

static int failed = 0;

static void expect(bool true_here, const std::string& what) {
    if (true_here) return;
    ++failed;
    std::cerr << "FAILED: " << what << "\n";
}

static std::string bytes_of(const std::string& base64) {
    google::protobuf::BytesValue value;
    google::protobuf::util::JsonStringToMessage("\"" + base64 + "\"", &value).ok();
    return value.value();
}

static void check(const google::protobuf::Struct& vector) {
    const auto& fields = vector.fields();
    const auto& name = fields.at("name").string_value();
    const auto* type = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(fields.at("message").string_value());
    if (!type) return;  // the view of a game that is not compiled in
    auto* prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(type);
    std::unique_ptr<google::protobuf::Message> told(prototype->New()), decoded(prototype->New()), again(prototype->New());
    std::string json;
    google::protobuf::util::MessageToJsonString(fields.at("json"), &json).ok();
    expect(google::protobuf::util::JsonStringToMessage(json, told.get()).ok(), name + ": json");
    expect(decoded->ParseFromString(bytes_of(fields.at("bytes").string_value())), name + ": bytes");
    decoded->DiscardUnknownFields();
    expect(MessageDifferencer::Equals(*told, *decoded), name + ": decoded");
    expect(again->ParseFromString(told->SerializeAsString()) && MessageDifferencer::Equals(*told, *again), name + ": encoded");
}

int main(int, char** words) {
    std::stringstream text;
    text << std::ifstream(words[1]).rdbuf();
    google::protobuf::Struct file;
    expect(google::protobuf::util::JsonStringToMessage(text.str(), &file).ok(), "the file is JSON");
    const auto& vectors = file.fields().at("vectors").list_value();
    expect(vectors.values_size() > 10, "there are vectors");
    for (const auto& vector : vectors.values()) check(vector.struct_value());

    referee::v1::Turns turns;
    for (unsigned number : {1u, 2u}) turns.add_starts()->set_match(number);
    for (auto [id, match] : {std::pair<uint64_t, unsigned>{7, 2}, {UINT64_MAX, 1}}) {
        auto* question = turns.add_questions();
        question->set_id(id);
        question->set_match(match);
        for (auto move : {"keep", "exchange", "cuckoo"}) question->add_legal(move);
    }
    std::map<unsigned, Match> matches;
    auto first = [](const referee::v1::Question&, Match& match) { return match.start.match() == 1 ? 2 : 0; };
    auto answers = answer(turns, matches, first).answers();
    expect(answers[0].question() == 7 && answers[0].has_index() && answers[0].index() == 0, "the first answer");
    expect(answers[1].question() == UINT64_MAX && answers[1].index() == 2, "the second answer");
    referee::v1::Turns ended;
    ended.add_ends()->set_match(1);
    answer(ended, matches, first);
    expect(matches.size() == 1 && matches.count(2), "a match that ended is forgotten");

    referee::v1::Turns begun;
    begun.add_starts()->set_match(3);
    begun.mutable_starts(0)->set_ready_question(UINT64_MAX);
    begun.add_starts()->set_match(4);
    std::vector<unsigned> prepared;
    auto said = answer(begun, matches, first, [&](Match& match) { prepared.push_back(match.start.match()); }).answers();
    expect(prepared == std::vector<unsigned>{3}, "it gets ready for the match that asks for it");
    expect(said.size() == 1 && said[0].question() == UINT64_MAX && said[0].has_index() && said[0].index() == 0, "it is ready");
    return failed ? 1 : 0;
}
