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
}

// Question asks a seat to choose from Legal; View holds the bytes of the message that Match.ViewType names.
type Question struct {
	*pb.Question
	Match *Match
}

// Choose returns the index of a move in question.Legal.
type Choose func(question *Question) int

// Play dials the referee and answers its questions until it ends the stream.
func Play(name string, games []string, choose Choose) error {
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
	hello := &pb.Hello{Protocols: []uint32{1}, Token: token, Name: name, Games: games}
	if err := stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Hello{Hello: hello}}); err != nil {
		return err
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
		answers := answer(response.GetTurns(), matches, choose)
		if len(answers.Answers) > 0 {
			if err := stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Answers{Answers: answers}}); err != nil {
				return err
			}
		}
	}
}

// answer takes in what one message tells, and returns the answers to all its questions.
func answer(turns *pb.Turns, matches map[uint32]*Match, choose Choose) *pb.Answers {
	for _, start := range turns.GetStarts() {
		matches[start.Match] = &Match{start, seeded(start.BotSeed)}
	}
	questions := turns.GetQuestions()
	answers := &pb.Answers{Answers: make([]*pb.Answer, 0, len(questions))}
	for _, question := range questions {
		index := choose(&Question{question, matches[question.Match]})
		move := &pb.Answer_Index{Index: uint32(index)}
		answers.Answers = append(answers.Answers, &pb.Answer{Question: question.Id, Move: move})
	}
	for _, end := range turns.GetEnds() {
		delete(matches, end.Match)
	}
	return answers
}

func seeded(seed []byte) *rand.Rand {
	if len(seed) < 16 {
		seed = append(seed, make([]byte, 16)...)
	}
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(seed), binary.LittleEndian.Uint64(seed[8:])))
}
