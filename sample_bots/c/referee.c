#include "referee.h"

#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FLUSH_AFTER_MS = 20 }; /* finished answers are sent after this time at the latest, so that their clock stops */

static struct match *matches; /* those under way, the latest first */
static const struct bot *playing;
static const char *doing = "play"; /* which function of the bot runs, and in which match: told where it fails */
static long doing_in;

/* Lines that came while the bot waited for a response, the first one first. */
struct line {
    char *text;
    struct line *next;
};
static struct line *waiting;

static char *copied(const char *line) {
    char *copy = strdup(line);
    if (!copy) FAIL("there is no memory for a line");
    return copy;
}

static void keep_waiting(const char *text) {
    struct line **place = &waiting, *line = malloc(sizeof *line);
    if (!line) FAIL("there is no memory for a line");
    while (*place) place = &(*place)->next;
    *line = (struct line){.text = copied(text)};
    *place = line;
}

/* Returns the next line, which the caller frees; NULL at the end of the input. */
static char *next_line(void) {
    struct line *line = waiting;
    if (!line) {
        char *read = json_line();
        return read ? copied(read) : NULL;
    }
    char *text = line->text;
    waiting = line->next;
    free(line);
    return text;
}

static struct match **find(long number) {
    struct match **place = &matches;
    while (*place && (*place)->number != number) place = &(*place)->next;
    return place;
}

static struct match *begin(const char *line) {
    struct match *match = calloc(1, sizeof *match);
    if (!match) FAIL("there is no memory for a match");
    line = match->start = copied(line);
    match->number = json_number(json_find(line, "match"), 0);
    json_text(json_find(line, "game"), match->game, sizeof match->game);
    match->behaviour = json_number(json_find(line, "behaviour"), 0);
    match->seats = json_number(json_find(line, "seats"), 0);
    match->seat = json_number(json_find(line, "seat"), 0);
    match->move_time_ms = json_number(json_find(line, "move_time_ms"), 0);
    match->bank_ms = json_number(json_find(line, "bank_ms"), 0);
    match->fischer = json_true(json_find(line, "fischer"));
    match->ready_time_ms = json_number(json_find(line, "ready_time_ms"), 0);
    match->options = json_find(line, "options");
    match->names = json_find(line, "names");
    char seed[17]; /* the first 8 bytes, written in hex */
    match->chance = strtoull(json_text(json_find(line, "bot_seed"), seed, sizeof seed), NULL, 16);
    match->next = matches;
    return matches = match;
}

long below(struct match *match, long n) { /* splitmix64 */
    uint64_t z = match->chance += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return n > 0 ? (long)((z ^ z >> 31) % (uint64_t)n) : 0;
}

int is_legal(const struct question *question, const char *move) {
    char text[LONGEST_TEXT + 1];
    for (const char *other = json_first(question->legal); other; other = json_next(other))
        if (strcmp(json_text(other, text, sizeof text), move) == 0) return 1;
    return 0;
}

long count_legal(const struct question *question) {
    long count = 0;
    for (const char *move = json_first(question->legal); move; move = json_next(move)) count++;
    return count;
}

const char *legal_move(struct question *question, long index) {
    const char *move = json_first(question->legal);
    for (; move && index > 0; index--) move = json_next(move);
    return json_text(move, question->move, sizeof question->move);
}

/* Writes a text behind the first `length` bytes of another, and cuts it at the end of a character where it is too long.
 */
static void append(char *text, size_t length, const char *format, va_list values) {
    size_t room = LONGEST_TEXT + 1 - length;
    if (vsnprintf(text + length, room, format, values) < (int)room) return;
    size_t end = LONGEST_TEXT, from = end;
    while (from > 0 && (text[from - 1] & 0xc0) == 0x80) from--; /* to behind the first byte of the last character */
    unsigned char first = from > 0 ? (unsigned char)text[from - 1] : 0;
    size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (from > 0 && from - 1 + bytes > end) end = from - 1;
    text[end] = '\0';
}

void note(struct question *question, const char *format, ...) {
    size_t length = strlen(question->note);
    va_list values;
    if (length > 0 && length < LONGEST_TEXT) question->note[length++] = '\n';
    va_start(values, format);
    append(question->note, length, format, values);
    va_end(values);
}

void say(struct question *question, const char *format, ...) {
    va_list values;
    va_start(values, format);
    append(question->said, 0, format, values);
    va_end(values);
}

void fail(const char *file, int line, const char *format, ...) {
    va_list values;
    fflush(stdout); /* the answers before count */
    fprintf(stderr, "%s failed in %s, in match %ld: %s:%d: ", playing ? playing->name : "the bot", doing, doing_in,
            file, line);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(1);
}

const char *look_ahead(struct question *question, const char *type, const char *format, ...) {
    static char *response;
    va_list values;
    free(response);
    response = NULL;
    question->failure[0] = '\0';
    if (!playing->wants_positions) FAIL("the bot looks ahead and has no wants_positions");
    printf("{\"type\":\"%s\",", type);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    puts("}");
    fflush(stdout);
    for (char *line; (line = json_line());) {
        const char *kind = json_find(line, "type");
        if (json_is(kind, "start") || json_is(kind, "question") || json_is(kind, "end")) {
            keep_waiting(line);
            continue;
        }
        if (!json_is(kind, "error")) return response = copied(line);
        json_text(json_find(line, "sentence"), question->failure, sizeof question->failure);
        return NULL;
    }
    exit(0); /* the referee has ended the stream: there is nothing more to play */
}

/* Notes what moves are worth, and returns the best one. found: the line with an evaluation; NULL where it failed. */
static const char *noted(struct question *question, const char *found) {
    char text[LONGEST_TEXT + 1];
    note(question, "%s", found ? json_text(json_find(found, "note"), text, sizeof text) : question->failure);
    return found ? json_text(json_find(found, "best"), question->move, sizeof question->move) : NULL;
}

const char *best_move(struct question *question, long worlds, const char *policy) {
    return noted(question, look_ahead(question, "evaluate", "\"match\":%ld,\"worlds\":%ld,\"policy\":\"%s\"",
                                      question->match->number, worlds, policy ? policy : ""));
}

const char *search_move(struct question *question, long worlds, const char *policy, const char *observers,
                        long most_nodes) {
    return noted(question, look_ahead(question, "search",
                                      "\"match\":%ld,\"worlds\":%ld,\"policy\":\"%s\",\"observers\":\"%s\","
                                      "\"most_nodes\":%ld",
                                      question->match->number, worlds, policy ? policy : "", observers ? observers : "",
                                      most_nodes));
}

/* Writes a key and a text as JSON, where there is a text. */
static void write_text(const char *key, const char *text) {
    if (!text || !*text) return;
    printf(",\"%s\":\"", key);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') printf("\\%c", *text);
        else if ((unsigned char)*text < ' ') printf("\\u%04x", (unsigned)*text);
        else putchar(*text);
    }
    putchar('"');
}

static void answer(const char *line) {
    struct question question = {
        .match = *find(json_number(json_find(line, "match"), 0)),
        .number = json_number(json_find(line, "question"), 0),
        .legal = json_find(line, "legal"),
        .view = json_find(line, "view"),
        .events = json_find(line, "events"),
        .bank_ms = json_number(json_find(line, "bank_ms"), 0),
        .charged_us = json_number(json_find(line, "charged_us"), 0),
        .again = json_true(json_find(line, "again")),
    };
    if (!question.match) return; /* no referee asks in a match that it has not started */
    doing = "choose", doing_in = question.match->number;
    const char *move = playing->choose(&question);
    printf("{\"type\":\"answer\",\"question\":%ld", question.number);
    write_text("move", move && *move ? move : "nothing"); /* an illegal move is told by the bridge */
    write_text("note", question.note);
    write_text("say", question.said);
    puts("}");
}

static void start(const char *line) {
    struct match *match = begin(line);
    doing = "match_started", doing_in = match->number;
    if (playing->match_started) playing->match_started(match);
    if (playing->wants_ready) printf("{\"type\":\"ready\",\"match\":%ld}\n", match->number);
}

static void end(const char *line) {
    struct match **place = find(json_number(json_find(line, "match"), 0)), *match = *place;
    if (!match) return;
    *place = match->next;
    match->events = json_find(line, "events");
    doing = "match_ended", doing_in = match->number;
    if (playing->match_ended) playing->match_ended(match, json_find(line, "scores"), json_find(line, "ranks"));
    free(match->start);
    free(match);
}

static long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void play(const struct bot *bot) {
    playing = bot;
    printf("{\"type\":\"hello\"");
    write_text("name", bot->name);
    write_text("version", bot->version);
    if (bot->game) printf(",\"games\":[\"%s\"]", bot->game);
    printf(",\"matches_at_once\":%ld", bot->matches_at_once);
    printf("%s", bot->wants_events ? ",\"wants_events\":true" : "");
    printf("%s", bot->wants_ready ? ",\"wants_ready\":true" : "");
    puts(bot->wants_positions ? ",\"wants_positions\":true}" : "}");
    fflush(stdout);
    long flushed = now_ms();
    for (char *line; (line = next_line()); free(line)) {
        const char *type = json_find(line, "type");
        if (json_is(type, "start")) start(line);
        if (json_is(type, "question")) answer(line);
        if (json_is(type, "end")) end(line);
        /* Answers to questions that came together leave together. */
        if ((!waiting && !json_line_waits()) || now_ms() > flushed + FLUSH_AFTER_MS) {
            fflush(stdout);
            flushed = now_ms();
        }
    }
}
