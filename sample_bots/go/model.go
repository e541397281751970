package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	pb "example.com/bot/v1"
	"google.golang.org/protobuf/encoding/protodelim"
)

// Position is a question as its seat knows it, to look ahead from: see Question.Position. What it draws and plays is the
// work of the model server, a program beside the bot; all of it ends with the question. A call that fails returns a
// *ModelFailure, or another error where there is no server any more.
type Position struct {
	match  uint32
	server *modelServer
}

// Search says how to evaluate or search: in so many worlds, for so long, or with neither as the clock of the match allows.
type Search struct {
	// Worlds is the most worlds. 0: any number.
	Worlds uint32
	// Time is the most time. 0: no limit of its own.
	Time time.Duration
	// Policy plays in playouts: "base" (by rules of thumb, where a package has them for the game, else learnt), "learnt" (what has
	// done well in the playouts before), "random", or a sample bot that plays the game. Empty: base.
	Policy string
	// Observers, of Search alone, says whose eyes tell nodes of the tree apart: "every" or "own". Empty: every.
	Observers string
	// MostNodes, of Search alone, is how many nodes the tree may have. 0: 50,000.
	MostNodes uint32
}

// Evaluate plays each legal move in the same worlds, and these on: Best is the best move, Moves has the mean and the
// standard error of each, the best first, and Note says so in a line.
func (position *Position) Evaluate(search Search) (*pb.Evaluation, error) {
	response, err := position.Ask(&pb.ModelRequest{Message: &pb.ModelRequest_Evaluate{Evaluate: &pb.EvaluateRequest{
		Match: position.match, Worlds: search.Worlds, TimeMs: uint32(search.Time.Milliseconds()), Policy: search.Policy,
	}}})
	return response.GetEvaluation(), err
}

// Search does the same by a tree search, whose tree grows where moves turn out well for whoever makes them. It needs more
// playouts to be better than Evaluate.
func (position *Position) Search(search Search) (*pb.Evaluation, error) {
	response, err := position.Ask(&pb.ModelRequest{Message: &pb.ModelRequest_Search{Search: &pb.SearchRequest{
		Match: position.match, Worlds: search.Worlds, TimeMs: uint32(search.Time.Milliseconds()), Policy: search.Policy,
		Observers: search.Observers, MostNodes: search.MostNodes,
	}}})
	return response.GetEvaluation(), err
}

// Worlds draws worlds that the seat cannot tell from the real one.
func (position *Position) Worlds(count int) ([]*World, error) {
	response, err := position.Ask(&pb.ModelRequest{Message: &pb.ModelRequest_Worlds{Worlds: &pb.WorldsRequest{
		Match: position.match, Count: uint32(count),
	}}})
	if err != nil {
		return nil, err
	}
	worlds := []*World{}
	for _, told := range response.GetWorlds().Worlds {
		worlds = append(worlds, &World{State: told, position: position})
	}
	return worlds, nil
}

// Ask makes any request to the model server: the comments of ModelRequest say what there is.
func (position *Position) Ask(request *pb.ModelRequest) (*pb.ModelResponse, error) {
	return position.server.ask(request)
}

// World is a complete state of the match. It is kept until it is dropped, or its question is answered.
type World struct {
	// State is the world as it stands: its number, who is asked with the legal moves, scores and ranks.
	State    *pb.World
	position *Position
}

// Play plays a legal move of each seat of State.Asked, in their order.
func (world *World) Play(moves ...string) error {
	played, err := world.step(moves, false)
	if err == nil {
		world.State = played
	}
	return err
}

// Played returns a copy of the world in which moves are played; the world stays as it is.
func (world *World) Played(moves ...string) (*World, error) {
	played, err := world.step(moves, true)
	if err != nil {
		return nil, err
	}
	return &World{State: played, position: world.position}, nil
}

func (world *World) step(moves []string, copied bool) (*pb.World, error) {
	step := &pb.Step{World: world.State.World, Moves: moves, Copy: copied}
	response, err := world.position.Ask(&pb.ModelRequest{Message: &pb.ModelRequest_Steps{Steps: &pb.StepsRequest{Steps: []*pb.Step{step}}}})
	if err != nil {
		return nil, err
	}
	return response.GetWorlds().Worlds[0], nil
}

// View returns what a seat sees in the world, as in Question.View, and the lines of the log since the question.
func (world *World) View(seat uint32) (*pb.WorldView, error) {
	response, err := world.position.Ask(&pb.ModelRequest{Message: &pb.ModelRequest_View{View: &pb.ViewRequest{World: world.State.World, Seat: &seat}}})
	return response.GetView(), err
}

// Drop makes room for other worlds.
func (world *World) Drop() error {
	_, err := world.position.Ask(&pb.ModelRequest{Message: &pb.ModelRequest_Drop{Drop: &pb.DropRequest{Worlds: []uint64{world.State.World}}}})
	return err
}

// ModelFailure says why a request was not fulfilled, and what to do.
type ModelFailure struct {
	Reason   pb.ModelError_Reason
	Sentence string
}

func (failure *ModelFailure) Error() string { return failure.Sentence }

// modelServer is the program that looks ahead. It knows what it is told, and ends with the bot.
type modelServer struct {
	requests  io.Writer
	responses *bufio.Reader
	end       func() error // waits for the end of the program, and returns how it ended
	failure   error        // why it cannot be asked any more
}

// startModelServer starts the program, with the Python that has arena.
func startModelServer() (*modelServer, error) {
	python := os.Getenv("ARENA_PYTHON")
	if python == "" {
		python = "python3" // a remote bot: its owner has installed botarena
	}
	command := exec.Command(python, "-I", "-m", "arena.model_server")
	command.Stderr = os.Stderr
	requests, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	responses, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("the model server cannot be started: %w; set ARENA_PYTHON to a Python that has botarena", err)
	}
	end := func() error {
		requests.Close()
		return command.Wait()
	}
	return &modelServer{requests: requests, responses: bufio.NewReader(responses), end: end}, nil
}

// tell passes on what has no response: turns and answers.
func (server *modelServer) tell(request *pb.ModelRequest) error {
	if server.failure != nil {
		return server.failure
	}
	if _, err := protodelim.MarshalTo(server.requests, request); err != nil {
		return server.fail(err)
	}
	return nil
}

func (server *modelServer) ask(request *pb.ModelRequest) (*pb.ModelResponse, error) {
	if err := server.tell(request); err != nil {
		return nil, err
	}
	response := &pb.ModelResponse{}
	if err := (protodelim.UnmarshalOptions{MaxSize: -1}).UnmarshalFrom(server.responses, response); err != nil {
		return nil, server.fail(err)
	}
	if failure := response.GetError(); failure != nil {
		return nil, &ModelFailure{failure.Reason, failure.Sentence}
	}
	return response, nil
}

func (server *modelServer) fail(err error) error {
	if ended := server.end(); ended != nil {
		err = ended
	} else if errors.Is(err, io.EOF) {
		err = errors.New("it ended by itself")
	}
	server.failure = fmt.Errorf("the model server is gone, the bot goes on without it: %w", err)
	return server.failure
}

// hear passes on turns, and returns them with lines of the log as events where these are wanted.
func (server *modelServer) hear(turns *pb.Turns, wantsEvents bool) *pb.Turns {
	if !wantsEvents {
		_ = server.tell(&pb.ModelRequest{Message: &pb.ModelRequest_Turns{Turns: turns}})
		return turns
	}
	response, err := server.ask(&pb.ModelRequest{Message: &pb.ModelRequest_Lines{Lines: turns}})
	if err == nil {
		return response.GetLines()
	}
	for _, question := range turns.Questions { // nobody is left to make lines of values
		question.Events = nil
	}
	for _, end := range turns.Ends {
		end.Events = nil
	}
	return turns
}
