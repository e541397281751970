# cython: language_level=3, wraparound=False, boundscheck=False, cdivision=True
"""Observations, masks and steps of many matches in C: the same as in `observation`, `moves` and `episode`.

Features are placed by their tables (see `features.Spread`), straight into the buffers of NumPy arrays. A feature
without a table is asked for its bytes, as in Python.
"""

from cpython.float cimport PyFloat_AsDouble
from cpython.list cimport PyList_GET_ITEM
from cpython.long cimport PyLong_AsDouble, PyLong_AsLong, PyLong_CheckExact
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE
from array import array

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy, memset

cdef extern from "Python.h":
    PyObject *PyDict_GetItemWithError(object table, object key) except? NULL

# The numbers of Row, Column and Value in `features`, which a test holds to be these.
cdef enum:
    ROW_NONE, ROW_AT, ROW_TURNED_AT, ROW_TURNED, ROW_BY_OTHER, ROW_BY_LEADER, ROW_BY_LAST
cdef enum:
    COLUMN_NONE, COLUMN_PLACE, COLUMN_SEAT, COLUMN_OTHER, COLUMN_PARTNER
cdef enum:
    VALUE_ONE, VALUE_STEP, VALUE_SHARE, VALUE_SQUASH, VALUE_ORDER, VALUE_LENGTH

cdef enum:
    LOWEST = -64
    NUMBERS = 256  # those from LOWEST on have their places in an array
    ABSENT = -1

cdef struct Spread:
    int field, other  # places in the view; other: ABSENT without one
    int row, column, value
    int rows, width, offset, start, clears
    bint scalar, last
    double number
    int feature_start, feature_size
    short places[NUMBERS]


cdef inline long modulo(long number, long by) noexcept:
    """Return a number modulo another; a division takes as long as all the rest for a value, and is seldom needed."""
    if number < 0:
        number += by
    elif number >= by:
        number -= by
    if 0 <= number < by:
        return number
    number %= by
    return number + by if number < 0 else number


cdef inline double as_number(object value) except? -1.5:
    if PyLong_CheckExact(value):
        return PyLong_AsDouble(value)
    return 0.0 if value is None else PyFloat_AsDouble(value)


cdef class Encoder:
    """Encodes views of a game.

    features: of which the observations consist, in order.
    encoders: by feature what encodes it where it has no table, from the seat and the fields.
    names: the fields of the view.
    seats: how many there are.
    """

    cdef Spread *_spreads
    cdef int _count, _seats, _largest, _fields
    cdef readonly int size
    cdef list _places  # by spread the places of values in a dict
    cdef list _others  # what has no table: (the place in the observation, its size, encoder, places in the view)
    cdef int *_origins  # by spread and seat where rows are counted from
    cdef double *_sums

    def __cinit__(self):
        self._spreads = NULL
        self._origins = NULL
        self._sums = NULL

    def __init__(self, list features, list encoders, tuple names, int seats):
        cdef Spread *to
        cdef int start = 0, number = 0, seat
        count = sum(len(feature.spreads) for feature in features)
        self._seats, self._count, self._fields = seats, count, len(names)
        self._places, self._others = [], []
        self._largest = max([feature.size for feature in features], default=1) or 1
        self._spreads = <Spread *>PyMem_Calloc(max(count, 1), sizeof(Spread))
        self._origins = <int *>PyMem_Calloc(max(count * seats, 1), sizeof(int))
        self._sums = <double *>PyMem_Calloc(self._largest, sizeof(double))
        if self._spreads == NULL or self._origins == NULL or self._sums == NULL:
            raise MemoryError
        for feature, encoder in zip(features, encoders, strict=True):
            for spread in feature.spreads:
                to = &self._spreads[number]
                to.field = names.index(spread.field)
                to.other = names.index(spread.other) if spread.other else ABSENT
                to.row, to.column, to.value = spread.row, spread.column, spread.value
                to.rows, to.width, to.offset, to.start = spread.rows, spread.width, spread.offset, spread.start
                to.clears, to.scalar, to.last, to.number = spread.clears, spread.scalar, spread.last, spread.number
                to.feature_start, to.feature_size = start, feature.size
                if min(to.rows, to.width) < 1 or min(to.offset, to.clears, to.start) < 0 or to.offset >= to.feature_size:
                    raise ValueError(f"a table goes beyond its feature of {feature.size} values: {spread}")
                for place in range(NUMBERS):
                    to.places[place] = ABSENT
                for place, value in enumerate(spread.values):
                    if type(value) is int and LOWEST <= value < LOWEST + NUMBERS:
                        to.places[value - LOWEST] = place
                self._places.append({value: place for place, value in enumerate(spread.values)})
                for seat in range(seats):
                    self._origins[number * seats + seat] = spread.origins[seat] if spread.origins else seat
                number += 1
            if not feature.spreads and feature.size:
                places = tuple([names.index(name) for name in feature.fields])
                self._others.append((start, feature.size, encoder, places))
            start += feature.size
        self.size = start

    def __dealloc__(self):
        PyMem_Free(self._spreads)
        PyMem_Free(self._origins)
        PyMem_Free(self._sums)

    def encode(self, view, int seat):
        """Return the observation of a view, as float32 values in a row."""
        cdef bytearray whole = bytearray(4 * self.size)
        if self.size:
            self.write(view, seat, <float *><char *>whole)
        return bytes(whole)

    cdef int write(self, object view, int seat, float *out) except -1:
        """Write the observation of a view."""
        cdef int number
        cdef Py_ssize_t start, size
        cdef bytes encoded
        if not 0 <= seat < self._seats:
            raise ValueError(f"there is no seat {seat}")
        if not isinstance(view, tuple) or len(view) != self._fields:
            raise TypeError(f"a view of {self._fields} fields is expected, not {view!r}")
        memset(out, 0, self.size * sizeof(float))
        for number in range(self._count):
            self._place(&self._spreads[number], number, <tuple>view, seat, out)
        for start, size, encoder, places in self._others:
            encoded = encoder(seat, *[(<tuple>view)[at] for at in places])
            if len(encoded) != 4 * size:
                raise ValueError(f"a feature of {size} values has {len(encoded) // 4}")
            memcpy(out + start, <const char *>encoded, 4 * size)
        return 0

    cdef int _place(self, Spread *spread, int number, tuple view, int seat, float *whole) except -1:
        cdef object field = <object>PyTuple_GET_ITEM(view, spread.field), item
        cdef tuple items = None, others = None
        cdef float *out = whole + spread.feature_start
        cdef double *sums = self._sums
        cdef Py_ssize_t at, first = spread.start, count = 1, leaders = 0, lap_place, lap_start, lap
        cdef long origin = self._origins[number * self._seats + seat], place = 0, row, column, other, base = 0
        cdef int rows = spread.rows, index, into
        cdef double value
        if not spread.scalar:
            items = <tuple>field if PyTuple_CheckExact(field) else tuple(field)
            count = PyTuple_GET_SIZE(items)
        if spread.value == VALUE_LENGTH:
            out[spread.offset] = <float>(count / (count + spread.number))
            return 0
        if not count:
            return 0
        if spread.last:
            first = count - 1
        if spread.other != ABSENT:
            field = <object>PyTuple_GET_ITEM(view, spread.other)
            others = <tuple>field if PyTuple_CheckExact(field) else tuple(field)
            leaders = PyTuple_GET_SIZE(others)
            if spread.row == ROW_BY_LAST:
                if not leaders:
                    raise ValueError("nobody leads")
                base = PyLong_AsLong(<object>PyTuple_GET_ITEM(others, leaders - 1))
        if spread.row == ROW_AT and count > rows:
            count = rows
        if spread.value == VALUE_STEP:
            memset(sums, 0, spread.feature_size * sizeof(double))
        lap_place, lap_start, lap = first % rows, first // rows * rows, first // rows
        lap_place -= 1
        for at in range(first, count):
            lap_place += 1
            if lap_place == rows:
                lap_place, lap_start, lap = 0, lap_start + rows, lap + 1
            item = <object>PyTuple_GET_ITEM(items, at) if items is not None else field
            # Where it goes
            if spread.row == ROW_NONE:
                row = 0
            elif spread.row == ROW_AT:
                row = at
            elif spread.row == ROW_TURNED_AT:
                row = lap_start + modulo(lap_place - origin, rows)
            elif spread.row == ROW_TURNED:
                row = modulo(PyLong_AsLong(item) - origin, rows)
            elif spread.row == ROW_BY_OTHER:
                if at >= leaders:
                    raise ValueError("two lists of a view that belong together differ in length")
                row = modulo(PyLong_AsLong(<object>PyTuple_GET_ITEM(others, at)) - origin, rows)
            elif spread.row == ROW_BY_LEADER:
                if lap >= leaders:
                    raise ValueError("more cards were played than anybody led")
                row = modulo(PyLong_AsLong(<object>PyTuple_GET_ITEM(others, lap)) + lap_place - origin, rows)
            else:
                row = modulo(base + at - origin, rows)
            column = 0
            if spread.column == COLUMN_PLACE:
                column = self._find(spread, number, item)
                if column == ABSENT:
                    continue
            elif spread.column != COLUMN_NONE:
                if item is None:
                    continue
                other = PyLong_AsLong(item)
                if other >= 0 or spread.column == COLUMN_SEAT:
                    column = modulo(other - seat, self._seats)
                elif spread.column == COLUMN_PARTNER and other == -1:
                    column = self._seats
                else:
                    continue
            index = row * spread.width + spread.offset + column
            into = row * spread.width + spread.offset
            if not 0 <= index < spread.feature_size or spread.clears > spread.feature_size - into:
                raise ValueError("a list of a view is longer than its feature")
            # What goes there
            if spread.value == VALUE_STEP:
                sums[index] += spread.number
                continue
            if spread.value == VALUE_ONE:
                for into in range(spread.clears):
                    out[row * spread.width + spread.offset + into] = 0
                out[index] = 1
            elif spread.value == VALUE_ORDER:
                out[index] = <float>((at + 1) / spread.number)
            else:
                value = as_number(item)
                if spread.value == VALUE_SHARE:
                    out[index] = <float>(value / spread.number)
                else:
                    out[index] = <float>(value / (fabs(value) + spread.number))
        if spread.value == VALUE_STEP:
            for index in range(spread.feature_size):
                out[index] = <float>sums[index]
        return 0

    cdef inline int _find(self, Spread *spread, int number, object item) except -2:
        """Return the place of a value, ABSENT where it has none."""
        cdef long value
        cdef PyObject *found
        if PyLong_CheckExact(item):
            value = PyLong_AsLong(item) - LOWEST
            if 0 <= value < NUMBERS:
                return spread.places[value]
        found = PyDict_GetItemWithError(<dict>PyList_GET_ITEM(self._places, number), item)
        return ABSENT if found == NULL else PyLong_AsLong(<object>found)


cdef enum:
    LONG = 24  # from how many moves on their mask is kept
    KEPT = 1 << 12  # how many are kept


cdef int write_long_mask(table, dict kept, legal, uint8_t *mask) except -1:
    """Write the mask of many legal moves. Rules keep long tuples of moves, so the same objects come again."""
    cdef Py_ssize_t at
    cdef const int64_t[::1] numbers
    cdef PyObject *found = PyDict_GetItemWithError(kept, <size_t><PyObject *>legal)
    if found != NULL:
        numbers = (<tuple>found)[1]
    else:
        if len(kept) >= KEPT:
            kept.clear()
        offered = array("q", table.offer(legal).moves)
        numbers = offered
        kept[<size_t><PyObject *>legal] = legal, offered  # it keeps the tuple, so that no other has its address
    for at in range(numbers.shape[0]):
        mask[numbers[at]] = 1
    return 0


def fill(setup, list episodes, float[:, ::1] observations, uint8_t[:, ::1] masks, int64_t[::1] seats):
    """Write what is asked in each row, and return the legal moves."""
    cdef Py_ssize_t row, actions = masks.shape[1]
    cdef int listed = len(setup.actions.listed)
    cdef long following, action
    cdef PyObject *found
    cdef Encoder encoder = None
    cdef dict action_of = setup.actions.action
    cdef list offered = []
    cdef dict long_masks = setup.actions.long_masks
    for row in range(len(episodes)):
        episode = <object>PyList_GET_ITEM(episodes, row)
        state, seat = episode.state, episode.seat
        seats[row] = seat
        view = state.view(seat)
        if encoder is None:
            encoder = setup.observer.encoder(view._fields)
        encoder.write(view, seat, &observations[row, 0] if encoder.size else NULL)
        legal = state.legal(seat)
        offered.append(legal)
        if len(legal) >= LONG:
            write_long_mask(setup.actions, long_masks, legal, &masks[row, 0])
            continue
        following = listed
        for move in legal:
            found = PyDict_GetItemWithError(action_of, move)
            if found != NULL:
                action = PyLong_AsLong(<object>found)
            else:
                action = following
                following += 1
            if action >= actions:
                raise IndexError("the game has more moves than it says")
            masks[row, action] = 1
    return offered


def first_stray(int64_t[::1] actions, const uint8_t[:, ::1] masks):
    """Return the first row whose action is not legal."""
    cdef Py_ssize_t row
    for row in range(masks.shape[0]):
        if not 0 <= actions[row] < masks.shape[1] or not masks[row, actions[row]]:
            return row
    return None


def play(list episodes, int64_t[::1] actions, list offered, table):
    """Play a legal action in each row, and return the rows whose match is over."""
    cdef Py_ssize_t row
    cdef list over = [], answers
    cdef dict action_of = table.action
    cdef tuple listed = table.listed
    cdef Py_ssize_t count = len(listed), action, following, given
    for row in range(len(episodes)):
        action = actions[row]
        if action < count:
            move = listed[action]
        else:
            following = count
            for move in offered[row]:
                if move not in action_of:
                    if following == action:
                        break
                    following += 1
        episode = <object>PyList_GET_ITEM(episodes, row)
        state = episode.state
        episode.moves.append(move)
        asked = state.asked
        given = 0
        if len(asked) == 1:
            state.events.clear()
            state.apply([move])
            episode.cycles += 1
            asked = state.asked
        else:
            answers = episode._answers
            answers.append(move)
            given = len(answers)
            if given == len(asked):
                state.events.clear()
                state.apply(answers)
                episode.cycles += 1
                episode._answers = []
                given = 0
                asked = state.asked
        if asked:
            episode.seat = asked[given]
        else:
            episode.seat = None
            over.append(row)
    return over
