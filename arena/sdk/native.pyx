# cython: language_level=3, boundscheck=True, wraparound=False, freethreading_compatible=False
"""Reading turns and writing answers in C.

Messages are read byte by byte with bounds checks, and only in the form in which protobuf writes them: each field at most
once and in ascending order. For anything else `arena.sdk.pure` decides, so that results and errors are its own.
"""

cimport cython
from cpython.mem cimport PyMem_Free
from libc.stdint cimport UINT32_MAX, uint64_t

from referee.codec.protobuf cimport Buffer, buffer_bytes, put_length, put_number, put_text, put_varint, read_varint

from arena.sdk import pure
from referee.v1.play_pb2 import Turns

cdef enum Tag:
    """Number of the field << 3 | wire type."""
    STARTS = 0x0A
    QUESTIONS = 0x12
    ENDS = 0x1A
    TURNS = 0x1A  # of PlayResponse

cdef dict _legal_lists = {}
cdef Py_ssize_t _MOST_LEGAL_LISTS = 4096


@cython.final
@cython.freelist(256)
cdef class WireQuestion:
    """The fields of a message Question."""

    cdef public uint64_t id
    cdef readonly uint64_t match
    cdef readonly bytes view
    cdef readonly tuple legal
    cdef readonly tuple events
    cdef readonly uint64_t bank_ms
    cdef readonly uint64_t charged_us
    cdef readonly bint again


@cython.final
cdef class _Reader:
    """Reads the bytes of `data` from `place` to before `end`. `failed`: they have another form than expected."""

    cdef bytes data
    cdef Py_ssize_t place, end
    cdef bint failed

    cdef uint64_t varint(self) except? 0:
        """Read a number of at most 63 bits."""
        cdef uint64_t value = 0
        if not read_varint(self.data, &self.place, self.end, &value):
            self.failed = True
            return 0
        return value

    cdef uint64_t uint32(self) except? 0:
        cdef uint64_t value = self.varint()
        if value > UINT32_MAX:
            self.failed = True
        return value

    cdef Py_ssize_t length(self) except? 0:
        """Read the length of a field; return it if so many bytes are left, or else fail and return 0."""
        cdef uint64_t value = self.varint()
        if value > <uint64_t>(self.end - self.place):
            self.failed = True
            return 0
        return <Py_ssize_t>value

    cdef bytes chunk(self):
        """Read a field of bytes."""
        cdef Py_ssize_t start, length = self.length()
        start = self.place
        self.place += length
        return self.data[start : start + length]

    cdef int tag(self) except? 0:
        """Read a tag of one byte; return 0 at the end or if it is longer."""
        cdef int byte
        if self.place >= self.end:
            return 0
        byte = <unsigned char>self.data[self.place]
        if byte >= 0x80 or byte == 0:
            self.failed = True
            return 0
        self.place += 1
        return byte

    cdef tuple texts(self, int tag):
        """Read all texts of a repeated field, from after the first tag to before the next other one."""
        cdef list texts = []
        while True:
            text = self.chunk()
            if self.failed:
                return ()
            try:
                texts.append(text.decode("utf-8"))
            except UnicodeDecodeError:
                self.failed = True
                return ()
            if self.place >= self.end or <unsigned char>self.data[self.place] != tag:
                return tuple(texts)
            self.place += 1

    cdef tuple legal(self, int tag):
        """Read the legal moves, which are the same for many questions: equal lists are one tuple."""
        cdef Py_ssize_t first = self.place, length
        cdef bytes key
        while True:
            length = self.length()
            if self.failed:
                return ()
            self.place += length
            if self.place >= self.end or <unsigned char>self.data[self.place] != tag:
                break
            self.place += 1
        key = self.data[first : self.place]
        found = _legal_lists.get(key)
        if found is None:
            self.place = first
            found = self.texts(tag)
            if not self.failed:
                if len(_legal_lists) >= _MOST_LEGAL_LISTS:
                    _legal_lists.clear()
                _legal_lists[key] = found
        return <tuple>found

    cdef WireQuestion question(self):
        """Read the fields of a question up to the end."""
        cdef WireQuestion question = WireQuestion.__new__(WireQuestion)
        cdef int tag, last = 0
        question.view = b""
        question.legal = question.events = ()
        while not self.failed:
            tag = self.tag()
            if tag == 0:
                break
            if tag <= last:
                self.failed = True
                break
            last = tag
            if tag == 0x08:
                question.id = self.varint()
            elif tag == 0x10:
                question.match = self.uint32()
            elif tag == 0x1A:
                question.view = self.chunk()
            elif tag == 0x22:
                question.legal = self.legal(tag)
            elif tag == 0x2A:
                question.events = self.texts(tag)
            elif tag == 0x30:
                question.bank_ms = self.uint32()
            elif tag == 0x38:
                question.charged_us = self.uint32()
            elif tag == 0x40:
                question.again = self.varint() != 0
            else:
                self.failed = True
        return question


cdef tuple _read_plain(bytes message):
    """Return the questions of a message, and the fields of its other turns as bytes; None if it is not plain."""
    cdef _Reader reader = _Reader.__new__(_Reader)
    cdef Py_ssize_t end, start, length
    cdef int tag
    cdef list questions = [], rest = []
    reader.data = message
    reader.end = end = len(message)
    if reader.tag() != TURNS or reader.length() != end - reader.place or reader.failed:
        return None
    while not reader.failed:
        start = reader.place
        tag = reader.tag()
        if tag == 0:
            break
        length = reader.length()
        if reader.failed:
            return None
        if tag == QUESTIONS:
            reader.end = reader.place + length
            questions.append(reader.question())
            reader.end = end
        elif tag == STARTS or tag == ENDS:
            reader.place += length
            rest.append(message[start : reader.place])
        else:
            return None
    return None if reader.failed else (questions, b"".join(rest))


def read_turns(bytes message not None):
    """Decode a message of the referee, as `arena.sdk.pure.read_turns` does."""
    plain = _read_plain(message)
    if plain is None:
        return pure.read_turns(message)
    questions, rest = plain
    if not rest:
        return questions, (), ()
    turns = Turns.FromString(rest)
    return questions, turns.starts, turns.ends


@cython.final
cdef class AnswersWriter:
    """Composes messages with answers, as `arena.sdk.pure.AnswersWriter` does."""

    cdef Buffer _answers
    cdef Py_ssize_t _count

    def __dealloc__(self):
        PyMem_Free(self._answers.data)

    def __len__(self):
        return self._count

    def add(self, uint64_t question, index, text, str note not None, str say not None):
        cdef Buffer *out = &self._answers
        cdef size_t start, before = out.size
        cdef uint64_t number
        try:
            put_varint(out, 0x0A)
            start = out.size
            put_number(out, 0x08, question)
            if index is not None:
                number = index
                if number > UINT32_MAX:
                    raise ValueError(f"index {number} has more than 32 bits")
                put_varint(out, 0x10)
                put_varint(out, number)
            elif text is not None:
                put_text(out, 0x1A, <str?>text)
            if note:
                put_text(out, 0x22, note)
            if say:
                put_text(out, 0x2A, say)
            put_length(out, start)
        except BaseException:
            out.size = before
            raise
        self._count += 1

    def take_message(self):
        if not self._count:
            return b""
        put_length(&self._answers, 0)
        message = b"\x12" + buffer_bytes(&self._answers)
        self._answers.size = self._count = 0
        return message
