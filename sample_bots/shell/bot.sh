#!/bin/sh
# A bot for arena in POSIX shell. It keeps good cards in Cambio and Cucco; as `bot.sh random` it plays any game by chance,
# as `bot.sh searcher` by looking ahead.
set -u # a name that was never set is an error, told with its line

. "${0%/*}/referee.sh"

# keep_good_cards LINE: sets $move to the text of a move.
keep_good_cards() {
    number "$1" card 4
    note "holding $found"
    if offers "$1" pass; then
        move=pass # a cuckoo in our hand, before somebody else's turn
    elif [ "$found" -ge 4 ]; then
        move=keep
    else
        move=exchange
    fi
}

# search LINE: sets $move to the legal move that turns out best in playouts.
search() {
    best_move "$1" || random_move "$1"
}

case ${1-} in
    random) play shell-random random_move ;;
    searcher) wants_positions=true; matches_at_once=1; play shell-searcher search ;;
    conformance) . "${0%/*}/conformance.sh" ;;
    *) play shell keep_good_cards cambio cucco ;;
esac
