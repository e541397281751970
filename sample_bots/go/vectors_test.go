package main

import (
	"encoding/json"
	"os"
	"testing"

	pb "example.com/bot/gen"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

type vector struct {
	Name, Message string
	JSON          json.RawMessage
	Bytes         []byte
}

func TestVectors(t *testing.T) {
	content, err := os.ReadFile("../../protos/vectors/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(vector.Message))
			if err != nil {
				t.Fatal(err)
			}
			told, decoded := kind.New().Interface(), kind.New().Interface()
			if err := protojson.Unmarshal(vector.JSON, told); err != nil {
				t.Fatal(err)
			}
			if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(vector.Bytes, decoded); err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(told, decoded) {
				t.Errorf("decoded %v, told %v", decoded, told)
			}
			encoded, _ := proto.Marshal(told)
			again := kind.New().Interface()
			if err := proto.Unmarshal(encoded, again); err != nil || !proto.Equal(told, again) {
				t.Errorf("encoded and decoded again %v, told %v", again, told)
			}
		})
	}
}

func TestAnswersCarryTheNumbersOfTheirQuestions(t *testing.T) {
	matches := map[uint32]*Match{}
	turns := &pb.Turns{
		Starts: []*pb.MatchStart{{Match: 1, BotSeed: make([]byte, 32)}, {Match: 2}},
		Questions: []*pb.Question{
			{Id: 7, Match: 2, Legal: []string{"keep", "exchange"}},
			{Id: 1<<64 - 1, Match: 1, Legal: []string{"pass", "cuckoo", "keep"}},
		},
	}
	answers := answer(turns, matches, func(question *Question) int {
		if question.Match.MatchStart.Match == 1 {
			return len(question.Legal) - 1
		}
		return 0
	}).Answers
	if answers[0].Question != 7 || answers[0].GetIndex() != 0 || answers[1].Question != 1<<64-1 || answers[1].GetIndex() != 2 {
		t.Errorf("answered %v", answers)
	}
	answer(&pb.Turns{Ends: []*pb.MatchEnd{{Match: 1}}}, matches, func(*Question) int { return 0 })
	if len(matches) != 1 || matches[2] == nil {
		t.Errorf("kept %v", matches)
	}
}
