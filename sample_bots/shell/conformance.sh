# The bot of our own test of all languages, which uses everything. The first legal move of a question is what the test
# wants to see; the memory of a match is how many questions there were.

version=1.2.3
matches_at_once=7
wants_events=true
wants_ready=true
wants_positions=true
match_started=started
match_ended=ended

# joined LINE KEY: sets $joined to the values of an array with semicolons between them.
joined() {
    list "$1" "$2"
    joined=
    while [ "$found" ]; do
        value=${found%%"$newline"*}
        found=${found#"$value"}
        found=${found#"$newline"}
        joined=$joined${joined:+;}$value
    done
}
newline='
'

started() {
    memory=0
    text "$1" game
    game=$found
    number "$1" seats
    seats=$found
    number "$1" seat
    echo "started: match $match of $game, seat $found of $seats" >&2
}

tell() {
    text "$start" game
    facts="match $match of $found"
    number "$start" behaviour
    facts="$facts $found"
    number "$start" seat
    seat=$found
    number "$start" seats
    facts="$facts, seat $seat of $found"
    after "$start" options
    options=$found
    text "$options" chips
    facts="$facts, options chips=$found"
    text "$options" strong_fools
    facts="$facts;strong_fools=$found"
    joined "$start" names
    note "$facts, names $joined"
}

# look LINE: looks ahead.
look() {
    best_move "$1" 20 counter
    search_move "$1" 20 counter own 9
    look_ahead worlds "\"match\":$match,\"count\":2"
    numbers=$found
    number "$numbers" world
    first=$found
    after "$numbers" world
    number "$found" world
    second=$found
    look_ahead steps "\"steps\":[{\"world\":$first,\"moves\":[\"keep\"],\"copy\":true}]"
    played=$found
    number "$played" world
    copy=$found
    number "$played" seat
    asked_seat=$found
    number "$start" seat
    look_ahead view "\"world\":$copy,\"seat\":$found"
    joined "$found" lines
    look_ahead drop "\"worlds\":[$first,$second,$copy]"
    number "$found" kept
    note "worlds $first;$second, copy $copy asks seat $asked_seat, lines $joined, kept $found"
    look_ahead worlds "\"match\":$match,\"count\":1000000" || note "$found"
}

conform() {
    memory=$((memory + 1))
    list "$1" legal
    case ${found%%"$newline"*} in
        tell) tell "$1"; tell_times "$1"; tell_question "$1"; say "never heard"; say "seat $seat greets" ;;
        long) long=; while [ ${#long} -lt 1200 ]; do long=${long}é; done; note "$long" ;;
        draw) count "$1"; below $((moves - 1)); move=$((drawn + 1)); return ;;
        illegal) move=fly; return ;;
        think) sleep 0.04 ;;
        keep) look "$1" ;;
        throw) fail "a mistake on purpose" ;;
    esac
    list "$1" legal
    move=\"${found##*"$newline"}\"
}

tell_times() {
    number "$start" move_time_ms
    times="move time $found"
    number "$start" bank_ms
    times="$times, bank $found"
    holds "$start" fischer && fischer=true || fischer=false
    number "$start" ready_time_ms
    note "$times, fischer $fischer, ready time $found"
}

tell_question() {
    after "$1" view
    number "$found" card
    told="card $found"
    joined "$1" events
    told="$told, events $joined"
    number "$1" bank_ms
    told="$told, bank $found"
    number "$1" charged_us
    told="$told, charged $found"
    holds "$1" again && again=true || again=false
    note "$told, again $again, asked $memory"
}

ended() {
    joined "$1" scores
    told="ended: match $match, scores $joined"
    joined "$1" ranks
    told="$told, ranks $joined"
    joined "$1" events
    echo "$told, events $joined, asked $memory" >&2
}

play conformance conform cambio
