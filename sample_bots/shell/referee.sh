# The conversation with the referee, for a POSIX shell.
#
# Lines of JSON come on standard input and go out on standard output. Their keys have a fixed order and no spaces, so
# what is wanted can be cut out of a line without a JSON library. All texts are ASCII there, and stay as JSON writes them.

LC_ALL=C # texts are bytes

# What a bot tells of itself. It sets these before it calls play.
version=
matches_at_once=0 # the most matches under way at the same time; 0: as many as the referee likes
wants_events=false # whether questions and ends have "events", the lines of the log
wants_ready=false # whether the referee waits for match_started: no clock runs until it returns
wants_positions=false # whether it looks ahead: best_move, search_move, look_ahead
match_started= # a function that is called with the line of a start, before the match's first question
match_ended= # a function that is called with the line of an end

# While one of the bot's functions runs:
match= # the number of the match
start= # the line that began it: game, seats, seat, options ...
memory= # whatever the bot keeps for this match, a text: what it leaves here it finds here in the same match

# Read a line

# after LINE KEY: sets $found to what follows "KEY": in the line, empty where the key is not there.
after() {
    case $1 in
        *"\"$2\":"*) found=${1#*"\"$2\":"} ;;
        *) found= ;;
    esac
}

# number LINE KEY DEFAULT: sets $found to the whole number after "KEY": in the line.
number() {
    after "$1" "$2"
    case $found in
        -[0-9]* | [0-9]*) found=${found%%[!0-9-]*} ;;
        *) found=${3-0} ;;
    esac
}

# text LINE KEY DEFAULT: sets $found to the text after "KEY": in the line.
text() {
    after "$1" "$2"
    case $found in
        '"'*) _text "${found#?}"; found=$value ;;
        *) found=${3-} ;;
    esac
}

# holds LINE KEY: is the value of KEY true?
holds() {
    case $1 in
        *"\"$2\":true"*) return 0 ;;
        *) return 1 ;;
    esac
}

# list LINE KEY: sets $found to the values of an array of numbers or texts, each on a line of its own.
list() {
    after "$1" "$2"
    _rest=$found
    found=
    case $_rest in '['*) _rest=${_rest#?} ;; *) return ;; esac
    while :; do
        case $_rest in
            ,*) _rest=${_rest#?}; found="$found
" ;;
            '"'*) _text "${_rest#?}"; found=$found$value ;;
            ']'* | '') return ;;
            *) value=${_rest%%[],]*}; found=$found$value; _rest=${_rest#"$value"} ;;
        esac
    done
}

# _text REST: REST is what follows the first quote of a text; sets $value to the text, and $_rest to what follows it.
_text() {
    _rest=$1
    value=
    while :; do
        _part=${_rest%%[\"\\]*}
        value=$value$_part
        _rest=${_rest#"$_part"}
        case $_rest in
            \\?*) _part=${_rest%"${_rest#??}"}; value=$value$_part; _rest=${_rest#??} ;;
            *) _rest=${_rest#?}; return ;;
        esac
    done
}

# The moves of a question

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
    chance=$(((chance * 1103515245 + 12345) % 2147483648))
    drawn=$((chance / 65536 % $1))
}

# random_move LINE: sets $move to the index of any legal move.
random_move() {
    count "$1"
    below "$moves"
    move=$drawn
}

# Look ahead, with wants_positions=true

# look_ahead TYPE KEYS: asks the model server, as in look_ahead worlds '"match":1,"count":5', and sets $found to the line with
# its response. Where it fails, $found is a sentence that says why. docs/model-server.md has the requests.
look_ahead() {
    printf '{"type":"%s",%s}\n' "$1" "$2"
    while IFS= read -r _reply; do
        case $_reply in
            '{"type":"start",'* | '{"type":"question",'* | '{"type":"end",'*)
                _waiting="$_waiting$_reply
" ;;
            '{"type":"error",'*) text "$_reply" sentence; return 1 ;;
            *) found=$_reply; return 0 ;;
        esac
    done
    _doing= # the referee has ended the stream: there is nothing more to play
    exit 0
}
_waiting= # lines that came while the bot waited for a response

# best_move LINE [WORLDS [POLICY]]: sets $move to the legal move that turns out best in playouts, and notes what all are worth.
# Each is played in so many worlds, or else in as many as the clock of the match allows; POLICY plays: random, a sample bot of
# the game, learnt (what has done well in the playouts before), or else base (rules of thumb, where a package has them for the
# game). Where it fails, the note says why.
best_move() {
    number "$1" match
    _weigh evaluate "\"match\":$found,\"worlds\":${2:-0},\"policy\":\"${3-}\""
}

# search_move LINE [WORLDS [POLICY [OBSERVERS [MOST_NODES]]]]: the same by a tree search, whose tree grows where moves turn out
# well for whoever makes them. It needs more playouts to be better than best_move. OBSERVERS are those whose eyes tell nodes of
# the tree apart, every or own; MOST_NODES is how many nodes it may have.
search_move() {
    number "$1" match
    _weigh search "\"match\":$found,\"worlds\":${2:-0},\"policy\":\"${3-}\",\"observers\":\"${4-}\",\"most_nodes\":${5:-0}"
}

# _weigh TYPE KEYS: makes the request; sets $move and the note by the response.
_weigh() {
    if look_ahead "$1" "$2"; then
        _found=$found
        text "$_found" best
        move=\"$found\"
        text "$_found" note
        while :; do # texts stay as JSON writes them, and these signs are what a note of ours has beyond ASCII
            case $found in
                *'\u00b1'*) found=${found%%'\u00b1'*}±${found#*'\u00b1'} ;;
                *) break ;;
            esac
        done
        note "$found"
    else
        note "$found"
        return 1
    fi
}

# What goes with an answer

# note TEXT: adds a line to the note of this answer, which the bot's owner finds in the replay.
note() {
    noted=$noted${noted:+'
'}$1
}

# say TEXT: says something to the table with this answer, in games with table talk. It replaces what was said before.
say() {
    said=$1
}

# fail TEXT: ends the program as a bot that failed, with a sentence for its owner.
fail() {
    _tell "failed in $_doing" "$1"
    _doing=
    exit 1
}

# quoted TEXT: sets $found to the text as JSON.
quoted() {
    case $1 in
        *[\"\\[:cntrl:]]*) ;;
        *) found="\"$1\""; return ;;
    esac
    _rest=$1
    found=
    while :; do
        _part=${_rest%%[\"\\[:cntrl:]]*}
        found=$found$_part
        _rest=${_rest#"$_part"}
        case $_rest in
            '') break ;;
            \"*) found=$found\\\" ;;
            \\*) found=$found\\\\ ;;
            '
'*) found=$found'\n' ;;
            *) found="$found " ;; # another control character
        esac
        _rest=${_rest#?}
    done
    found="\"$found\""
}

# play NAME CHOOSE [GAME...]: answers questions until standard input is closed. CHOOSE LINE sets $move to the text of a
# legal move or to its index, counted from 0. (A move whose text is a number is written with quotes: move='"7"'.)
play() {
    _name=$1
    _choose=$2
    shift 2
    _games=
    for game in "$@"; do _games=$_games${_games:+,}\"$game\"; done
    _doing=play
    trap _over EXIT
    trap _hangs QUIT
    _hello="{\"type\":\"hello\",\"name\":\"$_name\"${version:+,\"version\":\"$version\"}${_games:+,\"games\":[$_games]}"
    _hello="$_hello,\"matches_at_once\":$matches_at_once"
    case $wants_events in true) _hello=$_hello,\"wants_events\":true ;; esac
    case $wants_ready in true) _hello=$_hello,\"wants_ready\":true ;; esac
    case $wants_positions in true) _hello=$_hello,\"wants_positions\":true ;; esac
    printf '%s}\n' "$_hello"
    while _next; do
        case $line in
            '{"type":"start",'*) _start ;;
            '{"type":"question",'*) _question ;;
            '{"type":"end",'*) _end ;;
        esac
    done
    _doing=
}

# _next: sets $line to the next line.
_next() {
    case $_waiting in
        '') IFS= read -r line ;;
        *) line=${_waiting%%"
"*}; _waiting=${_waiting#"$line
"} ;;
    esac
}

# What a bot keeps of a match is in variables with its number in their names.

_start() {
    number "$line" match
    match=$found
    start=$line
    memory=
    text "$line" bot_seed 0
    chance=$((0x${found%"${found#???????}"}))
    if [ -n "$match_started" ]; then
        _doing=$match_started
        "$match_started" "$line"
    fi
    eval "start_$match=\$start memory_$match=\$memory chance_$match=\$chance"
    case $wants_ready in true) printf '{"type":"ready","match":%s}\n' "$match" ;; esac
}

# _recall: sets the variables of the line's match.
_recall() {
    number "$line" match
    match=$found
    eval "start=\${start_$match-} memory=\${memory_$match-} chance=\${chance_$match-0}"
}

_question() {
    _recall
    number "$line" question
    _number=$found
    move=nothing # an illegal move is told by the bridge
    noted=
    said=
    _doing=$_choose
    "$_choose" "$line"
    eval "memory_$match=\$memory chance_$match=\$chance"
    case $move in
        \"*) ;;
        '' | *[!0-9]*) quoted "$move"; move=$found ;;
    esac
    _answer="{\"type\":\"answer\",\"question\":$_number,\"move\":$move"
    if [ -n "$noted" ]; then quoted "$noted"; _answer=$_answer,\"note\":$found; fi
    if [ -n "$said" ]; then quoted "$said"; _answer=$_answer,\"say\":$found; fi
    printf '%s}\n' "$_answer"
}

_end() {
    _recall
    if [ -n "$match_ended" ]; then
        _doing=$match_ended
        "$match_ended" "$line"
    fi
    unset "start_$match" "memory_$match" "chance_$match"
}

# _over: tells of an end before that of the input, by exit or by a mistake that the shell has told of.
_over() {
    _code=$?
    if [ -n "$_doing" ]; then _tell "failed in $_doing" "the script ended with exit code $_code"; fi
    exit "$_code"
}

# _hangs: tells what a bot is at that has not answered. The shell gets to this between two commands.
_hangs() {
    _tell "is still in $_doing" "$line"
}

# _tell WHAT SENTENCE
_tell() {
    printf '%s %s: %s\n' "$_name" "$1${match:+, in match $match}" "$2" >&2
}
