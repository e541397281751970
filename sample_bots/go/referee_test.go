package main

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	pb "example.com/bot/v1"
)

// played lets a bot answer messages, and returns all its answers and why it stopped.
func played(bot Bot, messages ...*pb.Turns) (answers []*pb.Answer, err error) {
	player := newPlayer(bot, nil, func(sent []*pb.Answer) error {
		answers = append(answers, sent...)
		return nil
	})
	for _, turns := range messages {
		if err = player.take(turns); err != nil {
			break
		}
	}
	return answers, err
}

func first(question *Question) string { return question.Legal[0] }

func TestTheStackOfTheBotComesLast(t *testing.T) {
	told := ""
	_, _ = played(Bot{Choose: func(question *Question) string {
		all := make([]byte, 1<<20)
		told = chooserLast(string(all[:runtime.Stack(all, true)]))
		return question.Legal[0]
	}}, &pb.Turns{
		Starts:    []*pb.MatchStart{{Match: 1, BotSeed: make([]byte, 32)}},
		Questions: []*pb.Question{{Id: 1, Match: 1, Legal: []string{"keep"}}},
	})
	stacks := strings.Split(told, "\n\n")
	last := stacks[len(stacks)-1]
	lines := strings.Split(last, "\n")
	if !strings.Contains(lines[len(lines)-1], "referee_test.go:") || !strings.HasPrefix(last, "goroutine ") {
		t.Errorf("the last stack is %s", last)
	}
}

func TestAnswersCarryTheNumbersOfTheirQuestions(t *testing.T) {
	turns := &pb.Turns{
		Starts: []*pb.MatchStart{{Match: 1, BotSeed: make([]byte, 32)}, {Match: 2}},
		Questions: []*pb.Question{
			{Id: 7, Match: 2, Legal: []string{"keep", "exchange"}},
			{Id: 1<<64 - 1, Match: 1, Legal: []string{"pass", "cuckoo", "keep"}},
		},
	}
	answers, _ := played(Bot{Choose: func(question *Question) string {
		return question.Legal[len(question.Legal)-int(question.Match.Match)]
	}}, turns)
	if answers[0].Question != 7 || answers[0].GetIndex() != 0 || answers[1].Question != 1<<64-1 || answers[1].GetIndex() != 2 {
		t.Errorf("answered %v", answers)
	}
}

func TestAMatchKeepsItsMemoryUntilItEnds(t *testing.T) {
	var ended []any
	bot := Bot{
		MatchStarted: func(match *Match) { match.Memory = 0 },
		Choose: func(question *Question) string {
			question.Match.Memory = question.Match.Memory.(int) + 1
			return "keep"
		},
		MatchEnded: func(match *Match, scores []int32, ranks []uint32) {
			ended = append(ended, match.Memory, match.Events, scores, ranks)
		},
	}
	legal := []string{"keep"}
	starts := &pb.Turns{Starts: []*pb.MatchStart{{Match: 1}, {Match: 2}}, Questions: []*pb.Question{{Match: 1, Legal: legal}}}
	ends := &pb.Turns{
		Questions: []*pb.Question{{Match: 2, Legal: legal}, {Match: 1, Legal: legal}},
		Ends:      []*pb.MatchEnd{{Match: 1, Scores: []int32{3, -4}, Ranks: []uint32{1, 2}, Events: []string{"over"}}},
	}
	if _, err := played(bot, starts, ends); err != nil {
		t.Fatal(err)
	}
	if wanted := []any{2, []string{"over"}, []int32{3, -4}, []uint32{1, 2}}; !reflect.DeepEqual(ended, wanted) {
		t.Errorf("ended with %v", ended)
	}
}

func TestABotIsReadyOnceItHasStartedItsMatch(t *testing.T) {
	started := []uint32{}
	bot := Bot{Choose: first, MatchStarted: func(match *Match) { started = append(started, match.Match) }}
	answers, _ := played(bot, &pb.Turns{Starts: []*pb.MatchStart{{Match: 1, ReadyQuestion: 1<<63 + 9}, {Match: 2}}})
	if len(answers) != 1 || answers[0].Question != 1<<63+9 || answers[0].Move == nil || len(started) != 2 {
		t.Errorf("answered %v, started %v", answers, started)
	}
}

func TestAPanicIsToldWithItsPlaceAndEarlierAnswersAreSent(t *testing.T) {
	bot := Bot{Name: "owl", Choose: func(question *Question) string {
		if question.Id == 8 {
			var nothing []string
			return nothing[question.Id]
		}
		return "keep"
	}}
	legal := []string{"keep"}
	answers, err := played(bot, &pb.Turns{
		Starts:    []*pb.MatchStart{{Match: 1}},
		Questions: []*pb.Question{{Id: 7, Match: 1, Legal: legal}, {Id: 8, Match: 1, Legal: legal}},
	})
	if len(answers) != 1 || answers[0].Question != 7 {
		t.Errorf("answered %v", answers)
	}
	const told = "owl failed in Choose, in match 1: runtime error: index out of range [8] with length 0 (referee_test.go:"
	if err == nil || !strings.HasPrefix(err.Error(), told) {
		t.Errorf("failed with %v", err)
	}
}

func TestTextsAreCutAtTheEndOfACharacter(t *testing.T) {
	answers, _ := played(Bot{Choose: func(question *Question) string {
		question.Note("x" + strings.Repeat("é", 600))
		question.Say("a\xffb")
		return "fly"
	}}, &pb.Turns{Starts: []*pb.MatchStart{{Match: 1}}, Questions: []*pb.Question{{Match: 1, Legal: []string{"keep"}}}})
	if note := answers[0].Note; note != "x"+strings.Repeat("é", 511) {
		t.Errorf("noted %q", note)
	}
	if answers[0].Say != "a\uFFFDb" || answers[0].GetText() != "fly" {
		t.Errorf("said %q with %q", answers[0].Say, answers[0].GetText())
	}
}
