// A bot for arena: `bot` plays Perudo by probability, `bot random` plays any game by chance, `bot searcher` by looking ahead.
package main

import (
	"fmt"
	"os"
)

func main() {
	bot := Bot{Name: "go-gauger", Games: []string{"perudo"}, Choose: gauge}
	switch {
	case len(os.Args) > 1 && os.Args[1] == "random":
		bot = Bot{Name: "go-random", Choose: random}
	case len(os.Args) > 1 && os.Args[1] == "searcher":
		bot = Bot{Name: "go-searcher", MatchesAtOnce: 1, WantsPositions: true, Choose: search}
	case len(os.Args) > 1 && os.Args[1] == "conformance":
		bot = conformance
	}
	if err := Play(bot); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func random(question *Question) string {
	return question.Legal[question.Match.Rand.IntN(len(question.Legal))]
}

// search plays the move that turns out best in playouts, for as long as the clock of the match allows.
func search(question *Question) string {
	found, err := question.Position.Evaluate(Search{})
	if err != nil {
		question.Note(err.Error())
		return random(question)
	}
	question.Note(found.Note)
	return found.Best
}
