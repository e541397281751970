#include "json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *input;                /* what was read from standard input */
static size_t room, start, filled; /* of which start to filled was not returned yet */

/* Returns the end of the first line that is complete, NULL where there is none. */
static char *line_end(void) { return start < filled ? memchr(input + start, '\n', filled - start) : NULL; }

int json_line_waits(void) { return line_end() != NULL; }

char *json_line(void) {
    char *end;
    while (!(end = line_end())) {
        if (start) memmove(input, input + start, filled - start);
        filled -= start;
        start = 0;
        if (filled == room) {
            room = room ? 2 * room : 1 << 16;
            input = realloc(input, room);
            if (!input) {
                fputs("a line does not fit into the memory\n", stderr);
                exit(1);
            }
        }
        ssize_t count = read(STDIN_FILENO, input + filled, room - filled);
        if (count <= 0) return NULL;
        filled += (size_t)count;
    }
    char *line = input + start;
    *end = '\0';
    start = (size_t)(end + 1 - input);
    return line;
}

static const char *space(const char *at) {
    while (isspace((unsigned char)*at)) at++;
    return at;
}

/* Returns what follows the text that begins at `at`, with its quote. */
static const char *after_text(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* Returns what follows the value at `at`, whatever it is. */
static const char *after(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            at = after_text(at);
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        if (depth < 0) return at; /* the end of what holds the value */
        if (*at) at++;
    } while (*at && (depth > 0 || (*at != ',' && *at != '}' && *at != ']')));
    return at;
}

const char *json_find(const char *object, const char *key) {
    if (!object || *object != '{') return NULL;
    const char *at = space(object + 1);
    while (*at == '"') {
        const char *name = at, *value = space(after_text(at));
        if (*value != ':') return NULL;
        value = space(value + 1);
        if (json_is(name, key)) return value;
        at = space(after(value));
        if (*at != ',') return NULL;
        at = space(at + 1);
    }
    return NULL;
}

const char *json_first(const char *array) {
    if (!array || *array != '[') return NULL;
    array = space(array + 1);
    return *array && *array != ']' ? array : NULL;
}

const char *json_next(const char *value) {
    const char *at = space(after(value));
    return *at == ',' ? space(at + 1) : NULL;
}

long json_number(const char *value, long otherwise) {
    char *end;
    if (!value) return otherwise;
    long number = strtol(value, &end, 10);
    return end == value ? otherwise : number;
}

int json_is(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && *value == '"' && strncmp(value + 1, text, length) == 0 && value[1 + length] == '"';
}
