// A bot for arena: `bot` plays Perudo by probability, `bot random` plays any game by chance.
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
