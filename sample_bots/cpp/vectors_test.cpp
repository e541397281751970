// The messages of the protocol's vectors are read and written.

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/wrappers.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "referee/v1/play.pb.h"

using google::protobuf::util::MessageDifferencer;

static int failed = 0;

static void expect(bool true_here, const std::string &what) {
    if (true_here) return;
    ++failed;
    std::cerr << "FAILED: " << what << "\n";
}

static std::string bytes_of(const std::string &base64) {
    google::protobuf::BytesValue value;
    google::protobuf::util::JsonStringToMessage("\"" + base64 + "\"", &value).ok();
    return value.value();
}

static void check(const google::protobuf::Struct &vector) {
    const auto &fields = vector.fields();
    const auto &name = fields.at("name").string_value();
    const auto *type =
        google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(fields.at("message").string_value());
    if (!type) return; // the view of a game that is not compiled in
    auto *prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(type);
    std::unique_ptr<google::protobuf::Message> told(prototype->New()), decoded(prototype->New()),
        again(prototype->New());
    std::string json;
    google::protobuf::util::MessageToJsonString(fields.at("json"), &json).ok();
    expect(google::protobuf::util::JsonStringToMessage(json, told.get()).ok(), name + ": json");
    expect(decoded->ParseFromString(bytes_of(fields.at("bytes").string_value())), name + ": bytes");
    decoded->DiscardUnknownFields();
    expect(MessageDifferencer::Equals(*told, *decoded), name + ": decoded");
    expect(again->ParseFromString(told->SerializeAsString()) && MessageDifferencer::Equals(*told, *again),
           name + ": encoded");
}

int main(int, char **words) {
    std::stringstream text;
    text << std::ifstream(words[1]).rdbuf();
    google::protobuf::Struct file;
    expect(google::protobuf::util::JsonStringToMessage(text.str(), &file).ok(), "the file is JSON");
    const auto &vectors = file.fields().at("vectors").list_value();
    expect(vectors.values_size() > 10, "there are vectors");
    for (const auto &vector : vectors.values()) check(vector.struct_value());
    return failed ? 1 : 0;
}
