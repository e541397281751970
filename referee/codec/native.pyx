# cython: language_level=3, boundscheck=True, wraparound=False, freethreading_compatible=False
"""The codec in C.

What bots send is read byte by byte with bounds checks, and only in its ordinary form: for anything else, and for
values that are not of the ordinary types, `referee.codec.pure` decides, so that results and errors are its own.
"""

cimport cython
from cpython.long cimport PyLong_CheckExact
from cpython.mem cimport PyMem_Free
from cpython.tuple cimport PyTuple_CheckExact
from libc.stdint cimport INT32_MAX, INT32_MIN, UINT32_MAX

from referee.codec.protobuf cimport *

from hashlib import sha256
from struct import unpack

from referee.codec import pure
from referee.codec.layout import read_layout
from referee.engine.events import digest as digest_events
from referee.wire import view_message

cdef enum Kind:
    UINT
    SINT
    INT
    BOOL
    DOUBLE  # those from here on are no whole numbers
    STRING  # and these are never packed
    MESSAGE

cdef dict KINDS = {
    # kind, least, most
    "bool": (BOOL, 0, 1),
    "double": (DOUBLE, 0, 0),
    "enum": (INT, INT32_MIN, INT32_MAX),
    "int32": (INT, INT32_MIN, INT32_MAX),
    "int64": (INT, -(1 << 63), (1 << 63) - 1),
    "message": (MESSAGE, 0, 0),
    "sint32": (SINT, INT32_MIN, INT32_MAX),
    "sint64": (SINT, -(1 << 63), (1 << 63) - 1),
    "string": (STRING, 0, 0),
    "uint32": (UINT, 0, UINT32_MAX),
    "uint64": (UINT, 0, (1 << 63) - 1),
}


# Views

@cython.final
cdef class _Field:
    """A field of a view message. least, most: the numbers that are written here. message: its Descriptor, or None."""

    cdef Kind kind
    cdef bint is_repeated, has_presence
    cdef uint32_t tag
    cdef int64_t least, most
    cdef object message
    cdef _Schema schema

    def __init__(self, layout):
        self.kind, self.least, self.most = KINDS[layout.kind]
        self.is_repeated, self.has_presence = layout.is_repeated, layout.has_presence
        self.message = layout.message
        is_packed = layout.is_repeated and self.kind < STRING
        if is_packed or self.kind >= STRING:
            self.tag = layout.number << 3 | LENGTH
        elif self.kind == DOUBLE:
            self.tag = layout.number << 3 | FIXED64
        else:
            self.tag = layout.number << 3 | VARINT

    cdef int put(self, Buffer *out, object value) except -1:
        """Write a value; return 0 where it is out of the ordinary. Raises OverflowError for more than 64 bits."""
        if value is None:
            return 1
        if self.is_repeated:
            return self.put_all(out, value)
        return self.put_one(out, value, self.has_presence)

    cdef int put_all(self, Buffer *out, object values) except -1:
        """Write a repeated field."""
        cdef size_t start
        cdef uint64_t number = 0
        if not PyTuple_CheckExact(values):
            return 0
        if not <tuple>values:
            return 1
        if self.kind >= STRING:
            for value in <tuple>values:
                if not self.put_one(out, value, True):
                    return 0
            return 1
        reserve(out, 10 + 10 * len(<tuple>values))
        write_varint(out, self.tag)
        start = out.size
        for value in <tuple>values:
            if self.kind == DOUBLE:
                if not put_double(out, value):
                    return 0
            else:
                if not self.read_number(value, &number):
                    return 0
                write_varint(out, number)
        put_length(out, start)
        return 1

    cdef int put_one(self, Buffer *out, object value, bint is_explicit) except -1:
        """Write one value. is_explicit: 0 and the empty text as well."""
        cdef size_t before = out.size, start
        cdef uint64_t number = 0
        if self.kind < DOUBLE:
            if not self.read_number(value, &number):
                return 0
            if number or is_explicit:
                reserve(out, 20)
                write_varint(out, self.tag)
                write_varint(out, number)
            return 1
        if self.kind == STRING:
            if type(value) is not str:
                return 0
            if <str>value or is_explicit:
                put_text(out, self.tag, <str>value)
            return 1
        put_varint(out, self.tag)
        start = out.size
        if self.kind == DOUBLE:
            if not put_double(out, value):
                return 0
            if not is_explicit and value == 0 and not out.data[out.size - 1]:  # of -0.0 it has the sign
                out.size = before
            return 1
        if self.schema is None:
            self.schema = _find_schema(self.message, type(value))
        if not self.schema.put(out, value):
            return 0
        put_length(out, start)
        return 1

    cdef inline int read_number(self, object value, uint64_t *number) except -1:
        """Read a whole number as it is written; return 0 where it is out of the ordinary."""
        cdef int64_t whole
        if not PyLong_CheckExact(value) and not (self.kind == BOOL and type(value) is bool):
            return 0
        whole = value
        if whole < self.least or whole > self.most:
            return 0
        number[0] = zigzag(whole) if self.kind == SINT else <uint64_t>whole
        return 1


cdef inline int put_double(Buffer *out, object value) except -1:
    """Write a float without its tag; return 0 where it is none."""
    cdef double real
    if type(value) is not float:
        return 0
    real = value
    put_raw(out, &real, 8)
    return 1


@cython.final
cdef class _Schema:
    """How a NamedTuple is written as a message. type: of the NamedTuple. fields: None where only `pure` can write it."""

    cdef object type
    cdef tuple fields

    def __init__(self, message, type):
        self.type = type
        layout = read_layout(message, type._fields) if issubclass(type, tuple) and hasattr(type, "_fields") else None
        self.fields = None if layout is None else tuple([_Field(field) for field in layout])

    cdef int put(self, Buffer *out, object values) except -1:
        """Write a NamedTuple; return 0 where it, or a value in it, is out of the ordinary."""
        cdef Py_ssize_t place = 0
        if self.fields is None or type(values) is not self.type or len(<tuple>values) != len(self.fields):
            return 0
        for value in <tuple>values:
            if not (<_Field>self.fields[place]).put(out, value):
                return 0
            place += 1
        return 1


cdef dict _SCHEMAS = {}


cdef _Schema _find_schema(object message, object type):
    schema = _SCHEMAS.get((message, type))
    if schema is None:
        schema = _SCHEMAS[message, type] = _Schema(message, type)
    return schema


cdef class ViewEncoder:
    """Encodes the views of one match."""

    cdef object _game, _pure
    cdef _Schema _schema

    def __init__(self, game):
        self._game = game

    def encode(self, view):
        """Return the encoding of a view, a NamedTuple."""
        if self._schema is None:
            self._schema = _find_schema(view_message(self._game).DESCRIPTOR, type(view))
        # Of its own: to look at a new type of part runs Python, and so perhaps another thread that encodes.
        cdef Buffer out = [NULL, 0, 0]
        try:
            if self._schema.put(&out, view):
                return buffer_bytes(&out)
        except OverflowError:
            pass  # a number of more than 64 bits
        finally:
            PyMem_Free(out.data)
        if self._pure is None:
            self._pure = pure.ViewEncoder(self._game)
        return self._pure.encode(view)


# Questions

cdef class TurnsWriter:
    """Composes one message of turns after the other."""

    cdef Buffer _starts, _questions, _ends

    def __dealloc__(self):
        PyMem_Free(self._starts.data)
        PyMem_Free(self._questions.data)
        PyMem_Free(self._ends.data)

    def add_start(self, bytes start not None):
        """Add a match that begins. start: an encoded MatchStart."""
        put_bytes(&self._starts, 1 << 3 | LENGTH, <const char *>start, len(start))

    def add_question(
        self,
        uint64_t id,
        uint32_t match,
        bytes view not None,
        tuple legal not None,
        uint32_t bank_ms,
        uint32_t charged_us,
        bint again,
        list events not None,
    ):
        """Add a question. The parameters are the fields of Question."""
        cdef Buffer *out = &self._questions
        cdef size_t start, before = out.size
        try:
            put_varint(out, 2 << 3 | LENGTH)
            start = out.size
            put_number(out, 1 << 3 | VARINT, id)
            put_number(out, 2 << 3 | VARINT, match)
            if view:
                put_bytes(out, 3 << 3 | LENGTH, <const char *>view, len(view))
            for text in legal:
                put_text(out, 4 << 3 | LENGTH, text)
            for text in events:
                put_text(out, 5 << 3 | LENGTH, text)
            put_number(out, 6 << 3 | VARINT, bank_ms)
            put_number(out, 7 << 3 | VARINT, charged_us)
            put_number(out, 8 << 3 | VARINT, again)
            put_length(out, start)
        except BaseException:
            out.size = before
            raise

    def add_end(self, uint32_t match, tuple scores not None, tuple ranks not None, list events not None):
        """Add a match that is over. The parameters are the fields of MatchEnd."""
        cdef Buffer *out = &self._ends
        cdef size_t start, list_start, before = out.size
        cdef int number
        try:
            put_varint(out, 3 << 3 | LENGTH)
            start = out.size
            put_number(out, 1 << 3 | VARINT, match)
            if scores:
                put_varint(out, 2 << 3 | LENGTH)
                list_start = out.size
                for number in scores:
                    put_varint(out, zigzag(number))
                put_length(out, list_start)
            if ranks:
                put_varint(out, 3 << 3 | LENGTH)
                list_start = out.size
                for number in ranks:
                    put_varint(out, <uint32_t>number)
                put_length(out, list_start)
            for text in events:
                put_text(out, 4 << 3 | LENGTH, text)
            put_length(out, start)
        except BaseException:
            out.size = before
            raise

    @property
    def is_empty(self):
        """Whether nothing was added since the last message was taken."""
        return not (self._starts.size or self._questions.size or self._ends.size)

    def take(self):
        """Return the message with all that was added since the last one: an encoded PlayResponse."""
        cdef Buffer *turns = &self._starts
        put_raw(turns, self._questions.data, self._questions.size)
        put_raw(turns, self._ends.data, self._ends.size)
        put_length(turns, 0)
        message = bytes([3 << 3 | LENGTH]) + buffer_bytes(turns)
        self._starts.size = self._questions.size = self._ends.size = 0
        return message


# Answers

def read_answers(bytes message not None):
    """Return the answers of a message: their questions, their moves, and what some of them hold beside an index.

    See `referee.codec.pure.read_answers`.
    """
    read = _read_answers(message)
    return pure.read_answers(message) if read is None else read


cdef tuple _read_answers(bytes message):
    """Return the answers of a message; None where it is out of the ordinary."""
    cdef Py_ssize_t at = 1, end, stop = 0, size = len(message)
    cdef uint64_t value = 0, question
    cdef int64_t move
    cdef int tag
    cdef str text, note, say
    cdef list questions = [], moves = []
    cdef dict texts = {}
    if not size or message[0] != (2 << 3 | LENGTH):
        return None
    if not read_length(message, &at, size, &end) or end != size:
        return None
    while at < end:
        if message[at] != (1 << 3 | LENGTH):
            return None
        at += 1
        if not read_length(message, &at, end, &stop):
            return None
        question, move, text, note, say = 0, -1, "", "", ""
        while at < stop:
            tag = <uint8_t>message[at]
            at += 1
            if tag == (1 << 3 | VARINT):
                if not read_varint(message, &at, stop, &question):
                    return None
            elif tag == (2 << 3 | VARINT):
                if not read_varint(message, &at, stop, &value) or value > UINT32_MAX:
                    return None
                move, text = <int64_t>value, ""
            elif tag == (3 << 3 | LENGTH):
                move, text = -1, _read_text(message, &at, stop)
                if text is None:
                    return None
            elif tag == (4 << 3 | LENGTH):
                note = _read_text(message, &at, stop)
                if note is None:
                    return None
            elif tag == (5 << 3 | LENGTH):
                say = _read_text(message, &at, stop)
                if say is None:
                    return None
            else:
                return None
        if text or note or say:
            texts[len(questions)] = (text, note, say)
        questions.append(question)
        moves.append(move)
    return questions, moves, texts


cdef str _read_text(bytes message, Py_ssize_t *at, Py_ssize_t end):
    """Return the text at `at`, which moves behind it; None where there is none before `end`."""
    cdef Py_ssize_t stop = 0, start
    if not read_length(message, at, end, &stop):
        return None
    start, at[0] = at[0], stop
    try:
        return message[start:stop].decode()
    except UnicodeDecodeError:
        return None


# The log

cdef class EventLog:
    """The log of a match, packed as its digest needs it; events as tuples only while `pure` would hash them otherwise."""

    cdef Buffer _values, _counts
    cdef size_t _packed
    cdef Py_ssize_t _count
    cdef list _events

    def __dealloc__(self):
        PyMem_Free(self._values.data)
        PyMem_Free(self._counts.data)

    def take(self, list events not None):
        """Take the events out of a list, which is empty then."""
        cdef Py_ssize_t before = self._count
        if self._events is None:
            try:
                self._pack(events)
            except OverflowError:
                pass  # a number of more than 64 bits
            self._values.size = self._packed
            if self._count - before < len(events):
                self._events = self._unpack(0) + events[self._count - before :]
        else:
            self._events.extend(events)
        events.clear()

    cdef int _pack(self, list events) except -1:
        """Add events up to the first that has a value which is no whole number of 32 bits."""
        cdef int64_t number
        cdef uint8_t *packed
        for event in events:
            if not isinstance(event, tuple):
                return 0
            reserve(&self._values, 4 * len(<tuple>event))
            for value in <tuple>event:
                if not PyLong_CheckExact(value):
                    return 0
                number = value
                if number < INT32_MIN or number > INT32_MAX:
                    return 0
                packed = self._values.data + self._values.size
                packed[0], packed[1] = <uint8_t>(number >> 24), <uint8_t>(number >> 16)
                packed[2], packed[3] = <uint8_t>(number >> 8), <uint8_t>number
                self._values.size += 4
            put_varint(&self._counts, len(<tuple>event))
            self._packed = self._values.size
            self._count += 1
        return 0

    cdef list _unpack(self, Py_ssize_t first):
        """Return the packed events from number `first` on."""
        cdef bytes counts = buffer_bytes(&self._counts)
        cdef Py_ssize_t at = 0, place = 0, number = 0
        cdef uint64_t count = 0
        cdef list events = []
        while read_varint(counts, &at, len(counts), &count):
            if number >= first:
                events.append(self._read_event(place, count))
            place += 4 * <Py_ssize_t>count
            number += 1
        return events

    cdef tuple _read_event(self, Py_ssize_t place, Py_ssize_t count):
        """Return the event of so many values that is packed at `place`."""
        cdef bytes packed = PyBytes_FromStringAndSize(<char *>self._values.data + place, 4 * count)
        return unpack(f">{count}i", packed)

    def __len__(self):
        return self._count if self._events is None else len(self._events)

    def since(self, Py_ssize_t first):
        """Return the events from number `first` on."""
        return self._unpack(first) if self._events is None else self._events[first:]

    def digest(self):
        """Return the digest of all events so far (see `referee.engine.events.digest`)."""
        if self._events is not None:
            return digest_events(self._events)
        return sha256(buffer_bytes(&self._values)).digest()[:16]
