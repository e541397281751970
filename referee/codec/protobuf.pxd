"""Protobuf's wire format: numbers and bytes, read with bounds checks and written to a buffer that grows.

https://protobuf.dev/programming-guides/encoding
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Realloc
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove

cdef enum:
    VARINT = 0
    FIXED64 = 1
    LENGTH = 2


cdef struct Buffer:
    uint8_t *data
    size_t size
    size_t capacity


cdef inline int reserve(Buffer *buffer, size_t count) except -1:
    """Make room for `count` more bytes."""
    if buffer.size + count > buffer.capacity:
        grow(buffer, buffer.size + count)
    return 0


cdef inline int grow(Buffer *buffer, size_t least) except -1:
    cdef size_t capacity = 2 * least + 256
    cdef void *data = PyMem_Realloc(buffer.data, capacity)
    if data == NULL:
        raise MemoryError
    buffer.data = <uint8_t *>data
    buffer.capacity = capacity
    return 0


cdef inline void write_varint(Buffer *buffer, uint64_t value) noexcept:
    """Write a number of up to 10 bytes, for which there is room."""
    while value > 127:
        buffer.data[buffer.size] = <uint8_t>(value & 127 | 128)
        buffer.size += 1
        value >>= 7
    buffer.data[buffer.size] = <uint8_t>value
    buffer.size += 1


cdef inline int put_varint(Buffer *buffer, uint64_t value) except -1:
    reserve(buffer, 10)
    write_varint(buffer, value)
    return 0


cdef inline int put_raw(Buffer *buffer, const void *data, size_t size) except -1:
    reserve(buffer, size)
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0


cdef inline int put_number(Buffer *buffer, uint32_t tag, uint64_t value) except -1:
    """Write a number with its tag, unless it is 0."""
    if value:
        reserve(buffer, 20)
        write_varint(buffer, tag)
        write_varint(buffer, value)
    return 0


cdef inline int put_bytes(Buffer *buffer, uint32_t tag, const void *data, size_t size) except -1:
    """Write a tag, a length and so many bytes."""
    reserve(buffer, 20 + size)
    write_varint(buffer, tag)
    write_varint(buffer, size)
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0


cdef inline int put_text(Buffer *buffer, uint32_t tag, str text) except -1:
    """Write a text with its tag. Raises UnicodeEncodeError for lone surrogates."""
    cdef Py_ssize_t size = 0
    cdef const char *data = PyUnicode_AsUTF8AndSize(text, &size)
    return put_bytes(buffer, tag, data, size)


cdef inline int put_length(Buffer *buffer, size_t start) except -1:
    """Write the length of all that was written since `start` in front of it."""
    cdef size_t size = buffer.size - start, shift = 1, rest = size >> 7
    while rest:
        shift += 1
        rest >>= 7
    reserve(buffer, shift)
    memmove(buffer.data + start + shift, buffer.data + start, size)
    buffer.size = start
    put_varint(buffer, size)
    buffer.size += size
    return 0


cdef inline bytes buffer_bytes(Buffer *buffer):
    return PyBytes_FromStringAndSize(<char *>buffer.data, buffer.size)


cdef inline uint64_t zigzag(int64_t value) noexcept:
    return (<uint64_t>value << 1) ^ <uint64_t>(value >> 63)


cdef inline bint read_varint(bytes message, Py_ssize_t *at, Py_ssize_t end, uint64_t *value) except -1:
    """Read a number of up to 63 bits at `at`, which moves behind it.

    Returns False where there is none before `end`, or a larger one.
    """
    cdef uint64_t byte, read = 0
    cdef int shift = 0
    while at[0] < end and shift < 63:
        byte = <uint8_t>message[at[0]]
        at[0] += 1
        read |= (byte & 127) << shift
        if byte < 128:
            value[0] = read
            return True
        shift += 7
    return False


cdef inline bint read_length(bytes message, Py_ssize_t *at, Py_ssize_t end, Py_ssize_t *stop) except -1:
    """Read a length at `at`, which moves behind it; `stop` is where what follows ends.

    Returns False where it would end after `end`.
    """
    cdef uint64_t size
    if not read_varint(message, at, end, &size) or size > <uint64_t>(end - at[0]):
        return False
    stop[0] = at[0] + <Py_ssize_t>size
    return True
