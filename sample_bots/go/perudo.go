package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	pb "example.com/bot/v1"
	"google.golang.org/protobuf/proto"
)

const skull = 1

// gauge bids what holds most surely, and doubts where the last bid is less sure than that. Dice that lie under other
// cups are as likely to show any face; it never rolls again.
func gauge(question *Question) string {
	view := &pb.PerudoView{}
	if err := proto.Unmarshal(question.View, view); err != nil {
		panic(err)
	}
	dice := seen(view)
	best, chance := "", -1.0
	for _, move := range question.Legal {
		if worth := dice.worth(move); worth > chance {
			best, chance = move, worth
		}
	}
	question.Note(fmt.Sprintf("turns out well with %.0f %%", 100*min(chance, 1)))
	return best
}

// dice are what a seat knows of all dice: its own and those set aside, and how many others there are.
type dice struct {
	*pb.PerudoView
	shown  []uint32
	hidden int
}

func seen(view *pb.PerudoView) dice {
	shown, all := slices.Concat(view.Dice, view.Aside), 0
	for _, count := range view.Counts {
		all += int(count)
	}
	return dice{view, shown, all - len(shown)}
}

// worth is the chance that a move turns out well.
func (dice dice) worth(move string) float64 {
	quantity, face := int(dice.GetQuantity()), int(dice.GetFace())
	switch word, rest, _ := strings.Cut(move, " "); word {
	case "bid":
		many, of, _ := strings.Cut(rest, "x")
		quantity, _ = strconv.Atoi(many)
		face = skull
		if of != "skull" {
			face, _ = strconv.Atoi(of)
		}
		return dice.hold(quantity, face)
	case "no":
		return 1 - dice.hold(quantity, face)
	case "exact": // it takes a die from another and gives us one
		return 1.5 * (dice.hold(quantity, face) - dice.hold(quantity+1, face))
	case "stand":
		return 1
	}
	return 0
}

// hold is the chance that at least so many of all dice count for a face.
func (dice dice) hold(quantity, face int) float64 {
	needed := quantity
	for _, shown := range dice.shown {
		if int(shown) == face || (shown == skull && dice.Showdown == nil) {
			needed--
		}
	}
	if face == skull || dice.Showdown != nil {
		return atLeast(needed, dice.hidden, 6)
	}
	return atLeast(needed, dice.hidden, 3)
}

// atLeast is the chance that so many of the dice count where each does with the chance 1/of.
func atLeast(needed, dice, of int) float64 {
	if needed <= 0 {
		return 1
	}
	if needed > dice {
		return 0
	}
	return chances(dice, of)[needed]
}

var computed = map[[2]int][]float64{}

// chances are those of at least 0, 1, 2 ... of the dice. A question asks for them once for each legal bid, so they are
// computed once for each number of dice.
func chances(dice, of int) []float64 {
	if known, ok := computed[[2]int{dice, of}]; ok {
		return known
	}
	each, ways, known := 1/float64(of), 1.0, make([]float64, dice+1)
	for hits := range known {
		known[hits] = ways * math.Pow(each, float64(hits)) * math.Pow(1-each, float64(dice-hits))
		ways = ways * float64(dice-hits) / float64(hits+1)
	}
	for hits := dice - 1; hits >= 0; hits-- {
		known[hits] += known[hits+1]
	}
	computed[[2]int{dice, of}] = known
	return known
}
