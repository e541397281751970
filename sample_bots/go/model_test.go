package main

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	pb "example.com/bot/v1"
	"google.golang.org/protobuf/encoding/protodelim"
)

// served returns a model server that answers the requests that have responses, in their order, and what it was asked. It
// ends after the last response.
func served(t *testing.T, responses ...*pb.ModelResponse) (*modelServer, *[]*pb.ModelRequest) {
	asked := &[]*pb.ModelRequest{}
	fromBot, requests := io.Pipe()
	answers, toBot := io.Pipe()
	go func() {
		defer fromBot.Close()
		defer toBot.Close()
		input := bufio.NewReader(fromBot)
		for len(responses) > 0 {
			request := &pb.ModelRequest{}
			if err := protodelim.UnmarshalFrom(input, request); err != nil {
				return
			}
			*asked = append(*asked, request)
			if request.GetTurns() == nil && request.GetAnswers() == nil {
				_, _ = protodelim.MarshalTo(toBot, responses[0])
				responses = responses[1:]
			}
		}
	}()
	t.Cleanup(func() { requests.Close() })
	return &modelServer{requests: requests, responses: bufio.NewReader(answers), end: func() error { return errors.New("signal: killed") }}, asked
}

func TestAModelServerIsToldAndAskedInOrder(t *testing.T) {
	world := &pb.World{World: 7, Asked: []*pb.LegalMoves{{Seat: 2, Legal: []string{"keep"}}}}
	server, asked := served(t,
		&pb.ModelResponse{Message: &pb.ModelResponse_Worlds{Worlds: &pb.Worlds{Worlds: []*pb.World{world}}}},
		&pb.ModelResponse{Message: &pb.ModelResponse_Worlds{Worlds: &pb.Worlds{Worlds: []*pb.World{{World: 7}}}}},
		&pb.ModelResponse{Message: &pb.ModelResponse_Error{Error: &pb.ModelError{Reason: pb.ModelError_REASON_LIMIT, Sentence: "fewer"}}},
	)
	bot := Bot{Choose: func(question *Question) string {
		worlds, err := question.Position.Worlds(1)
		if err != nil || worlds[0].State.Asked[0].Seat != 2 {
			t.Errorf("drew %v, %v", worlds, err)
		}
		if err := worlds[0].Play("keep"); err != nil || len(worlds[0].State.Asked) != 0 {
			t.Errorf("played %v, %v", worlds[0].State, err)
		}
		_, err = question.Position.Evaluate(Search{Worlds: 9})
		var failure *ModelFailure
		if !errors.As(err, &failure) || failure.Reason != pb.ModelError_REASON_LIMIT || err.Error() != "fewer" {
			t.Errorf("failed with %v", err)
		}
		if _, err = question.Position.Evaluate(Search{}); err == nil || !strings.Contains(err.Error(), "is gone, the bot goes on without it: signal: killed") {
			t.Errorf("failed with %v", err)
		}
		return "keep"
	}}
	player := newPlayer(bot, server, func([]*pb.Answer) error { return nil })
	turns := &pb.Turns{Starts: []*pb.MatchStart{{Match: 3}}, Questions: []*pb.Question{{Id: 5, Match: 3, Legal: []string{"keep"}}}}
	if err := player.take(turns); err != nil {
		t.Fatal(err)
	}
	if got := *asked; len(got) != 4 || got[0].GetTurns() == nil || got[1].GetWorlds().Match != 3 || got[2].GetSteps().Steps[0].World != 7 || got[3].GetEvaluate().Worlds != 9 {
		t.Errorf("asked %v", got)
	}
}

func TestEventsAreLinesBesidePositions(t *testing.T) {
	lines := &pb.Turns{Starts: []*pb.MatchStart{{Match: 3}}, Questions: []*pb.Question{{Id: 5, Match: 3, Legal: []string{"keep"}, Events: []string{"set 1 begins"}}}}
	server, _ := served(t, &pb.ModelResponse{Message: &pb.ModelResponse_Lines{Lines: lines}})
	heard := []string{}
	bot := Bot{WantsEvents: true, Choose: func(question *Question) string {
		heard = append(heard, question.Events...)
		return "keep"
	}}
	player := newPlayer(bot, server, func([]*pb.Answer) error { return nil })
	for id := range uint64(2) { // at the second question the server is gone
		turns := &pb.Turns{Questions: []*pb.Question{{Id: 5 + id, Match: 3, Legal: []string{"keep"}, Events: []string{"[0,1]"}}}}
		if err := player.take(turns); err != nil {
			t.Fatal(err)
		}
	}
	if len(heard) != 1 || heard[0] != "set 1 begins" {
		t.Errorf("heard %v", heard)
	}
}
