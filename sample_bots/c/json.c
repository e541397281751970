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

double json_real(const char *value, double otherwise) {
    char *end;
    if (!value) return otherwise;
    double number = strtod(value, &end);
    return end == value ? otherwise : number;
}

int json_is(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && *value == '"' && strncmp(value + 1, text, length) == 0 && value[1 + length] == '"';
}

int json_true(const char *value) { return value && strncmp(value, "true", 4) == 0; }

/* Returns the number of the four digits at `at`, -1 where they are none. */
static long unit(const char *at) {
    long number = 0;
    for (int i = 0; i < 4; i++) {
        if (!isxdigit((unsigned char)at[i])) return -1;
        number = number << 4 | (isdigit((unsigned char)at[i]) ? at[i] - '0' : (at[i] | 32) - 'a' + 10);
    }
    return number;
}

/* Writes a character as UTF-8 and returns how many bytes it has. */
static size_t write_character(long code, char bytes[4]) {
    size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 0; code >>= 6) bytes[i] = (char)(i ? 0x80 | (code & 0x3f) : marks[count] | code);
    return count;
}

const char *json_text(const char *value, char *text, unsigned long size) {
    static const char escapes[] = "b\bf\fn\nr\rt\t";
    size_t length = 0;
    text[0] = '\0';
    if (!value || *value != '"') return text;
    for (const char *at = value + 1; *at && *at != '"'; at++) {
        char bytes[4] = {*at, 0, 0, 0};
        size_t count = 1;
        if (*at == '\\' && at[1]) {
            const char *known = strchr(escapes, *++at);
            bytes[0] = known && (known - escapes) % 2 == 0 ? known[1] : *at;
            long code = *at == 'u' ? unit(at + 1) : -1;
            if (code >= 0) {
                at += 4;
                long low = code >= 0xd800 && code < 0xdc00 && at[1] == '\\' && at[2] == 'u' ? unit(at + 3) : -1;
                if (low >= 0xdc00 && low < 0xe000) {
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                    at += 6;
                }
                count = write_character(code, bytes);
            }
        }
        if (length + count >= size) break;
        memcpy(text + length, bytes, count);
        length += count;
        text[length] = '\0';
    }
    return text;
}
