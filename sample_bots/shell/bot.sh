#!/bin/sh
# A bot for arena in POSIX shell. It keeps good cards in Cambio and Cucco; as `bot.sh random` it plays any game by chance.
#
# Lines of JSON come on standard input and go out on standard output. Their keys have a fixed order and no spaces, so
# what is wanted can be cut out of a line without a JSON library.

random=${1:-}

# number LINE KEY DEFAULT: sets $found to the whole number after "KEY": in the line.
number() {
    case $1 in
        *"\"$2\":"*) found=${1#*"\"$2\":"}; found=${found%%[!0-9-]*} ;;
        *) found=$3 ;;
    esac
}

# offers LINE MOVE: is the move among the legal ones?
offers() {
    legal=${1#*'"legal":['}
    case ",${legal%%]*}," in
        *",\"$2\","*) return 0 ;;
        *) return 1 ;;
    esac
}

# below N: sets $drawn to a number from 0 to N-1, from the match's own seed: it plays the same again.
below() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

# choose LINE: sets $move to the text of a move.
choose() {
    number "$1" card 4
    if offers "$1" pass; then
        move=pass # a cuckoo in our hand, before somebody else's turn
    elif [ "$found" -ge 4 ]; then
        move=keep
    else
        move=exchange
    fi
}

# count LINE: sets $moves to the number of legal moves.
count() {
    legal=${1#*'"legal":["'}
    legal=${legal%%'"]'*}
    moves=1
    while :; do
        case $legal in
            *'","'*) legal=${legal#*'","'}; moves=$((moves + 1)) ;;
            *) return ;;
        esac
    done
}

if [ -n "$random" ]; then
    echo '{"type":"hello","name":"shell-random","matches_at_once":1}'
else
    echo '{"type":"hello","name":"shell","games":["cambio","cucco"],"matches_at_once":1}'
fi
while IFS= read -r line; do
    case $line in
        '{"type":"start",'*)
            seed=${line#*'"bot_seed":"'}
            state=$((0x${seed%"${seed#???????}"}))
            ;;
        '{"type":"question",'*)
            number "$line" question 0
            question=$found
            if [ -n "$random" ]; then
                count "$line"
                below "$moves"
                echo "{\"type\":\"answer\",\"question\":$question,\"move\":$drawn}"
            else
                choose "$line"
                echo "{\"type\":\"answer\",\"question\":$question,\"move\":\"$move\",\"note\":\"holding $found\"}"
            fi
            ;;
    esac
done
