/* As much of JSON as a bot needs: to find values in a line, without a copy and without a library. */
#ifndef JSON_H
#define JSON_H

/* Returns the next line of standard input without its end, good until the next call; NULL at the end of the input. */
char *json_line(void);

/* Returns whether the next line has already been read, so that `json_line` returns it at once. */
int json_line_waits(void);

/* Returns the value of a key of the object at `object`, not of those inside it; NULL where there is none. */
const char *json_find(const char *object, const char *key);

/* Returns the first value of the array at `array`, NULL where it is empty or none. */
const char *json_first(const char *array);

/* Returns the value after `value` in the same array, NULL after the last one. */
const char *json_next(const char *value);

/* Returns the whole number at `value`, or `otherwise` where there is none. */
long json_number(const char *value, long otherwise);

/* Returns the number at `value`, or `otherwise` where there is none. */
double json_real(const char *value, double otherwise);

/* Writes the text at `value`, with its escapes as UTF-8, into `text` of `size` bytes, and returns it; empty where there
 * is none. One that is too long is cut. */
const char *json_text(const char *value, char *text, unsigned long size);

/* Returns whether `value` is true. */
int json_true(const char *value);

/* Returns whether the text at `value`, which holds no escapes, is `text`. */
int json_is(const char *value, const char *text);

#endif
