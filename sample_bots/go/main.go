// A bot for arena: `bot` plays Perudo by probability, `bot random` plays any game by chance.
package main

import (
	"fmt"
	"os"
)

func main() {
	name, games, choose := "go-gauger", []string{"perudo"}, gauge
	if len(os.Args) > 1 && os.Args[1] == "random" {
		name, games, choose = "go-random", nil, random
	}
	if err := Play(name, games, choose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func random(question *Question) int {
	return question.Match.Rand.IntN(len(question.Legal))
}
