package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"sync"

	pb "example.com/bot/gen"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// windowBytes is how much the referee may send ahead: more than a message has. As it is fixed, gRPC need not ping the
// referee at each message to measure how large it should be.
const windowBytes = 1 << 20

// Nearly all garbage is messages of the past: collecting it at 16 MiB instead of 4 needs a fourth of the runs. Where a
// bot keeps so much more that it nears the limit in bot.toml, it is collected more often again.
const (
	garbagePercent   = 400
	memoryLimitBytes = 96 << 20
)

// Match is one match of ours, from its start to its end.
type Match struct {
	*pb.MatchStart
	// Rand is the only chance a bot should use: it makes the same match play the same again.
	Rand *rand.Rand
	// ready is closed once the bot is ready for the match; nil where nobody asks for that.
	ready chan struct{}
}

// Question asks a seat to choose from Legal; View holds the bytes of the message that Match.ViewType names.
type Question struct {
	*pb.Question
	Match *Match
}

// Choose returns the index of a move in question.Legal.
type Choose func(question *Question) int

// Started gets ready for a match, as it loads a network or clears a large table: no clock runs until it returns, but it
// has only match.ReadyTimeMs milliseconds (0: no limit). It runs in a goroutine of its own.
type Started func(match *Match)

// Play dials the referee and answers its questions until it ends the stream. With started, which is one function or none,
// the bot gets ready for each match.
func Play(name string, games []string, choose Choose, started ...Started) error {
	address, token := os.Getenv("ARENA_ADDRESS"), os.Getenv("ARENA_TOKEN")
	if address == "" || token == "" {
		return errors.New("a referee starts this bot: README.md has the commands")
	}
	debug.SetGCPercent(garbagePercent)
	debug.SetMemoryLimit(memoryLimitBytes)
	channel, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithAuthority("localhost"), grpc.WithNoProxy(),
		grpc.WithStaticStreamWindowSize(windowBytes), grpc.WithStaticConnWindowSize(windowBytes),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)))
	if err != nil {
		return err
	}
	defer channel.Close()
	stream, err := pb.NewBotServiceClient(channel).Play(context.Background())
	if err != nil {
		return err
	}
	hello := &pb.Hello{Protocols: []uint32{1}, Token: token, Name: name, Games: games, WantsReady: len(started) > 0}
	if err := stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Hello{Hello: hello}}); err != nil {
		return err
	}
	var sending sync.Mutex // a stream takes one message at a time
	say := func(answers *pb.Answers) error {
		sending.Lock()
		defer sending.Unlock()
		return stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Answers{Answers: answers}})
	}
	getReady := func(match *Match) {
		for _, prepare := range started {
			prepare(match)
		}
		close(match.ready)
		_ = say(&pb.Answers{Answers: []*pb.Answer{answerTo(match.ReadyQuestion, 0)}}) // a stream that is gone ends the loop below
	}
	matches := map[uint32]*Match{}
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if refusal := response.GetRefusal(); refusal != nil {
			return fmt.Errorf("refused: %s", refusal.Sentence)
		}
		answers := answer(response.GetTurns(), matches, choose, func(match *Match) { go getReady(match) })
		if len(answers.Answers) > 0 {
			if err := say(answers); err != nil {
				return err
			}
		}
	}
}

// answer takes in what one message tells, and returns the answers to all its questions. getReady is called for each match
// that the bot is to get ready for, and closes match.ready at some time.
func answer(turns *pb.Turns, matches map[uint32]*Match, choose Choose, getReady func(match *Match)) *pb.Answers {
	for _, start := range turns.GetStarts() {
		match := &Match{MatchStart: start, Rand: seeded(start.BotSeed)}
		matches[start.Match] = match
		if start.ReadyQuestion != 0 {
			match.ready = make(chan struct{})
			getReady(match)
		}
	}
	questions := turns.GetQuestions()
	answers := &pb.Answers{Answers: make([]*pb.Answer, 0, len(questions))}
	for _, question := range questions {
		match := matches[question.Match]
		if match.ready != nil {
			<-match.ready // closed already: the referee asks after the bot has said that it is ready
		}
		answers.Answers = append(answers.Answers, answerTo(question.Id, choose(&Question{question, match})))
	}
	for _, end := range turns.GetEnds() {
		delete(matches, end.Match)
	}
	return answers
}

func answerTo(question uint64, index int) *pb.Answer {
	return &pb.Answer{Question: question, Move: &pb.Answer_Index{Index: uint32(index)}}
}

func seeded(seed []byte) *rand.Rand {
	if len(seed) < 16 {
		seed = append(seed, make([]byte, 16)...)
	}
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(seed), binary.LittleEndian.Uint64(seed[8:])))
}
