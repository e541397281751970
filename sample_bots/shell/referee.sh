# The conversation with the referee, for a POSIX shell.
#
# Lines of JSON come on standard input and go out on standard output. Their keys have a fixed order and no spaces, so
# what is wanted can be cut out of a line without a JSON library.

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

# below N: sets $drawn to a number from 0 to N-1, from the match's own seed: it plays the same again.
below() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

# random_move LINE: sets $move to the index of any legal move.
random_move() {
    count "$1"
    below "$moves"
    move=$drawn
}

# play NAME CHOOSE [GAME...]: answers questions until standard input is closed. CHOOSE LINE sets $move, to an index or
# to "a text in quotes", and may set $note.
play() {
    name=$1
    choose=$2
    shift 2
    games=
    for game in "$@"; do games=$games${games:+,}\"$game\"; done
    echo "{\"type\":\"hello\",\"name\":\"$name\"${games:+,\"games\":[$games]},\"matches_at_once\":1}"
    while IFS= read -r line; do
        case $line in
            '{"type":"start",'*)
                seed=${line#*'"bot_seed":"'}
                state=$((0x${seed%"${seed#???????}"}))
                ;;
            '{"type":"question",'*)
                note=
                $choose "$line"
                number "$line" question 0
                echo "{\"type\":\"answer\",\"question\":$found,\"move\":$move${note:+,\"note\":\"$note\"}}"
                ;;
        esac
    done
}
