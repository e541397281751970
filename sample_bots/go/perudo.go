package main

import (
	"math"
	"strconv"
	"strings"

	pb "example.com/bot/gen"
	"google.golang.org/protobuf/proto"
)

const skull = 1

// gauge bids what holds most surely, and doubts where the last bid is less sure than that. Dice that lie under other
// cups are as likely to show any face; it never rolls again.
func gauge(question *Question) int {
	view := &pb.PerudoView{}
	if proto.Unmarshal(question.View, view) != nil {
		return 0
	}
	best, chance := 0, -1.0
	for index, move := range question.Legal {
		if worth := worth(view, move); worth > chance {
			best, chance = index, worth
		}
	}
	return best
}

// worth is the chance that a move turns out well.
func worth(view *pb.PerudoView, move string) float64 {
	quantity, face := int(view.GetQuantity()), int(view.GetFace())
	switch word, rest, _ := strings.Cut(move, " "); word {
	case "bid":
		many, of, _ := strings.Cut(rest, "x")
		quantity, _ = strconv.Atoi(many)
		face = skull
		if of != "skull" {
			face, _ = strconv.Atoi(of)
		}
		return holds(view, quantity, face)
	case "no":
		return 1 - holds(view, quantity, face)
	case "exact": // it takes a die from another and gives us one
		return 1.5 * (holds(view, quantity, face) - holds(view, quantity+1, face))
	case "stand":
		return 1
	}
	return 0
}

// holds is the chance that at least so many of all dice count for a face.
func holds(view *pb.PerudoView, quantity, face int) float64 {
	dice, needed := 0, quantity
	for _, count := range view.Counts {
		dice += int(count)
	}
	for _, seen := range append(append([]uint32{}, view.Dice...), view.Aside...) {
		dice--
		if int(seen) == face || (seen == skull && view.Showdown == nil) {
			needed--
		}
	}
	each := 1.0 / 3
	if face == skull || view.Showdown != nil {
		each = 1.0 / 6
	}
	return atLeast(needed, dice, each)
}

// atLeast is the chance that so many of the dice count where each does with the chance `each`.
func atLeast(needed, dice int, each float64) float64 {
	if needed <= 0 {
		return 1
	}
	sum, ways := 0.0, 1.0
	for hits := 0; hits <= dice; hits++ {
		if hits >= needed {
			sum += ways * math.Pow(each, float64(hits)) * math.Pow(1-each, float64(dice-hits))
		}
		ways = ways * float64(dice-hits) / float64(hits+1)
	}
	return sum
}
