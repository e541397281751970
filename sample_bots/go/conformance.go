package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	pb "example.com/bot/v1"
	"google.golang.org/protobuf/proto"
)

// conformance uses everything that the conversation offers: arena's test of all languages plays it. The first legal move
// is what the test wants to see.
var conformance = Bot{
	Name:           "conformance",
	Version:        "1.2.3",
	Games:          []string{"cambio"},
	MatchesAtOnce:  7,
	WantsEvents:    true,
	WantsReady:     true,
	WantsPositions: true,
	Choose:         conform,
	MatchStarted: func(match *Match) {
		match.Memory = new(int)
		fmt.Fprintf(os.Stderr, "started: match %d of %s, seat %d of %d\n", match.Match, match.Game, match.Seat, match.Seats)
	},
	MatchEnded: func(match *Match, scores []int32, ranks []uint32) {
		fmt.Fprintf(os.Stderr, "ended: match %d, scores %s, ranks %s, events %s, asked %d\n",
			match.Match, joined(scores), joined(ranks), joined(match.Events), *match.Memory.(*int))
	},
}

func conform(question *Question) string {
	match, legal := question.Match, question.Legal
	asked := match.Memory.(*int)
	*asked++
	switch legal[0] {
	case "tell":
		view := &pb.CambioView{}
		if err := proto.Unmarshal(question.View, view); err != nil {
			panic(err)
		}
		options := []string{}
		for _, name := range slices.Sorted(maps.Keys(match.Options)) {
			options = append(options, name+"="+match.Options[name])
		}
		question.Note(fmt.Sprintf("match %d of %s %d, seat %d of %d, options %s, names %s",
			match.Match, match.Game, match.Behaviour, match.Seat, match.Seats, joined(options), joined(match.Names)))
		question.Note(fmt.Sprintf("move time %d, bank %d, fischer %t, ready time %d",
			match.MoveTimeMs, match.BankMs, match.Fischer, match.ReadyTimeMs))
		question.Note(fmt.Sprintf("card %d, events %s, bank %d, charged %d, again %t, asked %d",
			view.GetCard(), joined(question.Events), question.BankMs, question.ChargedUs, question.Again, *asked))
		question.Say("never heard")
		question.Say(fmt.Sprintf("seat %d greets", match.Seat))
	case "long":
		question.Note(strings.Repeat("é", 600))
	case "draw":
		return legal[1+match.Rand.IntN(len(legal)-1)]
	case "illegal":
		return "fly"
	case "think":
		for began := time.Now(); time.Since(began) < 2*flushAfter; {
		}
	case "keep":
		look(question)
	case "throw":
		panic("a mistake on purpose")
	}
	return legal[len(legal)-1]
}

func joined[T any](values []T) string {
	texts := []string{}
	for _, value := range values {
		texts = append(texts, fmt.Sprint(value))
	}
	return strings.Join(texts, ";")
}

// look looks ahead, and notes what it sees.
func look(question *Question) {
	position := question.Position
	found := must(position.Evaluate(Search{Worlds: 20, Policy: "counter"}))
	question.Note(found.Note)
	found = must(position.Search(Search{Worlds: 20, Policy: "counter", Observers: "own", MostNodes: 9}))
	question.Note(found.Note)
	worlds := must(position.Worlds(2))
	played := must(worlds[0].Played("keep"))
	view := must(played.View(question.Match.Seat))
	numbers := []uint64{worlds[0].State.World, worlds[1].State.World, played.State.World}
	dropped := must(position.Ask(&pb.ModelRequest{Message: &pb.ModelRequest_Drop{Drop: &pb.DropRequest{Worlds: numbers}}}))
	question.Note(fmt.Sprintf("worlds %s, copy %d asks seat %d, lines %s, kept %d",
		joined(numbers[:2]), numbers[2], played.State.Asked[0].Seat, joined(view.Lines), dropped.GetDropped().Kept))
	_, err := position.Worlds(1_000_000)
	question.Note(err.Error())
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
