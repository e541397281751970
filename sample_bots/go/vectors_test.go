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
	}, nil).Answers
	if answers[0].Question != 7 || answers[0].GetIndex() != 0 || answers[1].Question != 1<<64-1 || answers[1].GetIndex() != 2 {
		t.Errorf("answered %v", answers)
	}
	answer(&pb.Turns{Ends: []*pb.MatchEnd{{Match: 1}}}, matches, func(*Question) int { return 0 }, nil)
	if len(matches) != 1 || matches[2] == nil {
		t.Errorf("kept %v", matches)
	}
}

func TestABotGetsReadyForAMatchBeforeItIsAskedInIt(t *testing.T) {
	matches := map[uint32]*Match{}
	var prepared []uint64
	getReady := func(match *Match) {
		prepared = append(prepared, match.ReadyQuestion)
		close(match.ready)
	}
	turns := &pb.Turns{Starts: []*pb.MatchStart{{Match: 1, ReadyQuestion: 1<<63 + 9}, {Match: 2}}}
	first := func(*Question) int { return 0 }
	if answers := answer(turns, matches, first, getReady).Answers; len(answers) != 0 {
		t.Errorf("answered %v", answers)
	}
	if len(prepared) != 1 || prepared[0] != 1<<63+9 {
		t.Errorf("got ready for %v", prepared)
	}
	asked := &pb.Turns{Questions: []*pb.Question{{Id: 7, Match: 1}, {Id: 8, Match: 2}}}
	if answers := answer(asked, matches, first, nil).Answers; len(answers) != 2 {
		t.Errorf("answered %v", answers)
	}
}
