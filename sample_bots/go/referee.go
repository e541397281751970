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
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	pb "example.com/bot/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	// windowBytes is how much the referee may send ahead: more than a message has. As it is fixed, gRPC need not ping
	// the referee at each message to measure how large it should be.
	windowBytes = 1 << 20
	// flushAfter is when finished answers are sent at the latest, so that their clock stops.
	flushAfter = 20 * time.Millisecond
	// longestText is how many bytes of a note, of talk or of a move the protocol allows.
	longestText = 1024
)

// Nearly all garbage is messages of the past: collecting it at 16 MiB instead of 4 needs a fourth of the runs. Where a
// bot keeps so much more that it nears the limit in bot.toml, it is collected more often again.
const (
	garbagePercent   = 400
	memoryLimitBytes = 96 << 20
)

// Bot is a player: what it tells the referee of itself, and the functions that play. Only Choose is needed. All functions
// are called one after the other, in one goroutine.
type Bot struct {
	// Name and Version are what the bot calls itself, for its owner.
	Name, Version string
	// Games are the ids of the games it plays. None: any game.
	Games []string
	// MatchesAtOnce is the most matches it plays at the same time. 0: no limit of its own.
	MatchesAtOnce uint32
	// WantsEvents asks for the lines of the log: Question.Events and Match.Events.
	WantsEvents bool
	// WantsReady asks the referee to wait for MatchStarted: no clock runs until it returns, but it has only
	// match.ReadyTimeMs milliseconds (0: no limit).
	WantsReady bool
	// WantsPositions asks for Question.Position, to look ahead: a model server is started beside the bot.
	WantsPositions bool
	// Choose returns one of question.Legal.
	Choose func(question *Question) string
	// MatchStarted is called before the first question of a match. May be nil.
	MatchStarted func(match *Match)
	// MatchEnded is called at the end of a match, with scores and ranks by seat; both are empty if the match did not end
	// by its rules. May be nil.
	MatchEnded func(match *Match, scores []int32, ranks []uint32)
}

// Match is one match of the bot, from its start to its end: its number is Match, its other fields are those of the
// protocol's MatchStart, as Game, Options, Seats, Seat, Names and BankMs.
type Match struct {
	*pb.MatchStart
	// Rand is the only chance a bot should use: it makes the same match play the same again.
	Rand *rand.Rand
	// Memory is whatever the bot wants to keep for this match.
	Memory any
	// Events is the rest of the log, once the match has ended. Only with Bot.WantsEvents.
	Events []string
}

// Question asks a seat to choose from Legal. View holds the bytes of the message that Match.ViewType names; BankMs,
// ChargedUs, Again and Events are those of the protocol's Question.
type Question struct {
	*pb.Question
	Match *Match
	// Position looks ahead. Only with Bot.WantsPositions.
	Position  *Position
	note, say string
}

// Note adds a line to the note of this answer, which the bot's owner finds in the replay.
func (question *Question) Note(thought string) {
	if question.note != "" {
		question.note += "\n"
	}
	question.note += thought
}

// Say says something to the table with this answer, in games with table talk. It replaces what was said before.
func (question *Question) Say(words string) { question.say = words }

// Play dials the referee and answers its questions until it ends the stream. It returns what went wrong; where a function
// of the bot panicked, with the place in the bot's code.
func Play(bot Bot) error {
	address, token := os.Getenv("ARENA_ADDRESS"), os.Getenv("ARENA_TOKEN")
	if address == "" || token == "" {
		return errors.New("a referee starts this bot: README.md has the commands")
	}
	tellStacks()
	var server *modelServer
	if bot.WantsPositions {
		var err error
		if server, err = startModelServer(); err != nil {
			return err
		}
		defer server.end()
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
	hello := &pb.Hello{
		Protocols: []uint32{1}, Token: token, Name: bot.Name, Version: bot.Version, Games: bot.Games,
		MatchesAtOnce: bot.MatchesAtOnce, WantsEvents: bot.WantsEvents || bot.WantsPositions,
		WantsValues: bot.WantsPositions, WantsReady: bot.WantsReady,
	}
	if err := stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Hello{Hello: hello}}); err != nil {
		return err
	}
	player := newPlayer(bot, server, func(answers []*pb.Answer) error {
		return stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Answers{Answers: &pb.Answers{Answers: answers}}})
	})
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
		if failure := player.take(response.GetTurns()); failure != nil {
			// The answers before the failure are on their way: the referee takes them before it ends the stream.
			for err := stream.CloseSend(); err == nil; _, err = stream.Recv() {
			}
			return failure
		}
	}
}

// player answers the questions of a stream.
type player struct {
	bot     Bot
	server  *modelServer // nil: the bot does not look ahead
	matches map[uint32]*Match
	send    func(answers []*pb.Answer) error
	answers []*pb.Answer // those that were not sent yet
	doing   string       // which function of the bot runs, and in which match: told where it panics
	match   uint32
}

func newPlayer(bot Bot, server *modelServer, send func(answers []*pb.Answer) error) *player {
	return &player{bot: bot, server: server, matches: map[uint32]*Match{}, send: send}
}

// take takes in what one message tells, and answers all its questions. It returns why the bot cannot go on.
func (player *player) take(turns *pb.Turns) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = player.failure(thrown, debug.Stack())
			_ = player.flush() // or the referee would ask again; where the stream is gone, too, the failure counts
		}
	}()
	if player.server != nil && turns != nil {
		turns = player.server.hear(turns, player.bot.WantsEvents)
	}
	for _, start := range turns.GetStarts() {
		if err := player.start(start); err != nil {
			return err
		}
	}
	flushed := time.Now()
	for _, asked := range turns.GetQuestions() {
		player.answers = append(player.answers, player.answer(asked))
		if time.Since(flushed) > flushAfter {
			if err := player.flush(); err != nil {
				return err
			}
			flushed = time.Now()
		}
	}
	if err := player.flush(); err != nil {
		return err
	}
	for _, end := range turns.GetEnds() {
		player.end(end)
	}
	return nil
}

func (player *player) start(start *pb.MatchStart) error {
	match := &Match{MatchStart: start, Rand: seeded(start.BotSeed)}
	player.matches[start.Match] = match
	if player.bot.MatchStarted != nil {
		player.doing, player.match = "MatchStarted", start.Match
		player.bot.MatchStarted(match)
	}
	if start.ReadyQuestion == 0 {
		return nil
	}
	player.answers = append(player.answers, &pb.Answer{Question: start.ReadyQuestion, Move: &pb.Answer_Index{}})
	return player.flush()
}

// tellStacks has the program print where it is, and end, once the referee asks for it by SIGQUIT, as it does where no answer
// comes in time. Go itself would print the registers of the processor last, which is what a report of a failure shows.
func tellStacks() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGQUIT)
	go func() {
		<-asked
		all := make([]byte, 1<<20)
		fmt.Fprintln(os.Stderr, chooserLast(string(all[:runtime.Stack(all, true)])))
		os.Exit(2)
	}()
}

// chooserLast returns the stacks of goroutines with that of the bot's own code last: what called Choose, and below it nothing.
func chooserLast(stacks string) string {
	var others, own []string
	for _, stack := range strings.Split(strings.TrimSpace(stacks), "\n\n") {
		if called := strings.Index(stack, ".(*player).answer("); called >= 0 {
			own = append(own, stack[:strings.LastIndex(stack[:called], "\n")])
		} else {
			others = append(others, stack)
		}
	}
	return strings.Join(append(others, own...), "\n\n")
}

func (player *player) answer(asked *pb.Question) *pb.Answer {
	question := &Question{Question: asked, Match: player.matches[asked.Match]}
	if player.server != nil {
		question.Position = &Position{match: asked.Match, server: player.server}
	}
	player.doing, player.match = "Choose", asked.Match
	move := player.bot.Choose(question)
	answer := &pb.Answer{Question: asked.Id, Note: cut(question.note), Say: cut(question.say)}
	if index := slices.Index(asked.Legal, move); index >= 0 {
		answer.Move = &pb.Answer_Index{Index: uint32(index)}
	} else { // the referee punishes it
		fmt.Fprintf(os.Stderr, "Choose returned %q, not a legal move in match %d: return one of %q\n", move, asked.Match, asked.Legal)
		answer.Move = &pb.Answer_Text{Text: cut(move)}
	}
	return answer
}

func (player *player) end(end *pb.MatchEnd) {
	match := player.matches[end.Match]
	delete(player.matches, end.Match)
	match.Events = end.Events
	if player.bot.MatchEnded != nil {
		player.doing, player.match = "MatchEnded", end.Match
		player.bot.MatchEnded(match, end.Scores, end.Ranks)
	}
}

func (player *player) flush() error {
	if len(player.answers) == 0 {
		return nil
	}
	answers := player.answers
	player.answers = nil
	err := player.send(answers)
	if player.server != nil { // where it is gone, whoever looks ahead is told
		_ = player.server.tell(&pb.ModelRequest{Message: &pb.ModelRequest_Answers{Answers: &pb.Answers{Answers: answers}}})
	}
	return err
}

// failure describes a panic of the bot: what it did, why it failed and where.
func (player *player) failure(thrown any, stack []byte) error {
	return fmt.Errorf("%s failed in %s, in match %d: %v (%s)\n\n%s",
		player.bot.Name, player.doing, player.match, thrown, panicked(), stack)
}

// panicked returns file and line of the function that panicked, for one that it deferred.
func panicked() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	inPanic := false
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		isRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if inPanic && !isRuntime {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
		inPanic = inPanic || isRuntime
	}
	return "unknown place"
}

// cut shortens a text to what the protocol allows, at the end of a character.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= longestText {
		return text
	}
	end := longestText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func seeded(seed []byte) *rand.Rand {
	if len(seed) < 16 {
		seed = append(seed, make([]byte, 16)...)
	}
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(seed), binary.LittleEndian.Uint64(seed[8:])))
}
