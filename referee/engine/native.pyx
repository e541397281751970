# cython: language_level=3, wraparound=False, freethreading_compatible=True
"""Draws in C: the same as in `draws`.

SHA-256 is OpenSSL's, from the library that Python's hashlib has loaded, called without the objects that hashlib makes
for each hash: for messages of some 20 bytes they take ten times as long as the hash. Python does not promise that the
library is there, or that it has these functions, so `is_usable` tries them.
"""

cimport cython
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import hmac
from hashlib import sha256
from struct import unpack

cdef extern from "<dlfcn.h>" nogil:
    void *dlopen(const char *path, int flags)
    void *dlsym(void *library, const char *name)
    int RTLD_LAZY

cdef extern from "Python.h":
    # Without their references, so that items can change places
    PyObject *PyList_GET_ITEM(object items, Py_ssize_t place)
    void PyList_SET_ITEM(object items, Py_ssize_t place, PyObject *item)


# SHA-256 by OpenSSL

cdef struct Hash:
    uint64_t context[32]  # an SHA256_CTX, which takes 112 bytes, and room for other versions

ctypedef int (*Init)(Hash *hash) noexcept
ctypedef int (*Update)(Hash *hash, const void *data, size_t size) noexcept
ctypedef int (*Final)(uint8_t *digest, Hash *hash) noexcept

cdef Init sha256_init = NULL
cdef Update sha256_update = NULL
cdef Final sha256_final = NULL


cdef bint find_functions():
    """Look for the functions, and tell whether there are all."""
    global sha256_init, sha256_update, sha256_final
    try:
        import _hashlib
    except ImportError:
        return False  # a Python without OpenSSL
    path = getattr(_hashlib, "__file__", None)  # without one it is a part of Python, as is OpenSSL
    cdef bytes encoded = (path or "").encode()
    cdef void *library = dlopen(NULL if path is None else <const char *>encoded, RTLD_LAZY)
    if library == NULL:
        return False
    sha256_init = <Init>dlsym(library, "SHA256_Init")
    sha256_update = <Update>dlsym(library, "SHA256_Update")
    sha256_final = <Final>dlsym(library, "SHA256_Final")
    return sha256_init != NULL and sha256_update != NULL and sha256_final != NULL


def is_usable():
    """Tell whether there is an OpenSSL that hashes as hashlib does."""
    if not find_functions():
        return False
    for length in (0, 1, 46, 54, 55, 64, 65, 118, 128, 200):  # on both sides of what the padding makes a block longer
        seed, place = bytes(range(length)), "x" * length
        if Draws(seed).words((place,), 8) != list(unpack(">8I", hmac.digest(seed, f"{place}/0".encode(), "sha256"))):
            return False
    return True


# The words of a place

cdef struct Words:
    Hash start  # the inner hash after the key and the place
    uint64_t block  # the number of the next block
    uint8_t digest[32]  # the last block
    int used  # how many of its words


cdef enum:
    SLASH = 47
    LONGEST_NUMBER = 20
    LONGEST_PLACE = 256

cdef uint64_t WORDS = 1 << 32
"""How many different words there are."""


cdef inline size_t write_number(uint8_t *out, uint64_t number) noexcept:
    """Write a number in decimal, and return its length."""
    cdef uint8_t digits[LONGEST_NUMBER]
    cdef size_t length = 0, place
    while True:
        digits[length] = 48 + number % 10
        length += 1
        number //= 10
        if not number:
            break
    for place in range(length):
        out[place] = digits[length - 1 - place]
    return length


cdef Py_ssize_t write_place(uint8_t *out, tuple place) except -1:
    """Write a place into LONGEST_PLACE bytes, and return its length; 0 where it is long or out of the ordinary."""
    cdef size_t size = 0
    cdef Py_ssize_t length
    cdef const char *text
    cdef long long number
    for part in place:
        if size:
            out[size] = SLASH
            size += 1
        if PyLong_CheckExact(part):
            if not 0 <= part < 1 << 62 or size > LONGEST_PLACE - LONGEST_NUMBER - 1:
                return 0
            number = part
            size += write_number(out + size, number)
        elif type(part) is str and part:
            text = PyUnicode_AsUTF8AndSize(part, &length)
            if size + length > LONGEST_PLACE - 1:
                return 0
            memcpy(out + size, text, length)
            size += length
        else:
            return 0
    return size


@cython.final
cdef class Draws:
    """Draws from a seed, as `draws.Draws` does."""

    cdef Hash _inner, _outer  # the hashes of HMAC after the key (RFC 2104)

    def __init__(self, bytes seed not None):
        if sha256_init == NULL:
            raise RuntimeError("OpenSSL has not been looked for: call is_usable first")
        key = (sha256(seed).digest() if len(seed) > 64 else seed).ljust(64, b"\0")
        self._start(&self._inner, key, 0x36)
        self._start(&self._outer, key, 0x5C)

    cdef void _start(self, Hash *hash, bytes key, uint8_t pad) noexcept:
        cdef uint8_t block[64]
        cdef int place
        for place in range(64):
            block[place] = <uint8_t>key[place] ^ pad
        sha256_init(hash)
        sha256_update(hash, block, 64)

    def shuffle(self, cards, tuple place not None):
        """Return `cards` in random order."""
        cdef list pack = list(cards)
        cdef Py_ssize_t last
        cdef uint32_t other
        cdef PyObject *item
        cdef Words words
        self._open(&words, place)
        for last in range(len(pack) - 1, 0, -1):
            other = self._below(&words, last + 1)
            item = PyList_GET_ITEM(pack, last)
            PyList_SET_ITEM(pack, last, PyList_GET_ITEM(pack, other))
            PyList_SET_ITEM(pack, other, item)
        return tuple(pack)

    def pick(self, uint64_t n, tuple place not None):
        """Return one of the numbers 0..n-1."""
        cdef Words words
        self._open(&words, place)
        return self._below(&words, n)

    def roll(self, faces, Py_ssize_t count, tuple place not None):
        """Return `count` dice, each showing one of `faces`."""
        cdef uint64_t n = len(faces)
        cdef Words words
        self._open(&words, place)
        return tuple([faces[self._below(&words, n)] for _ in range(count)])

    def words(self, tuple place not None, Py_ssize_t count):
        """Return the first words of a place."""
        cdef Words words
        self._open(&words, place)
        return [self._next(&words) for _ in range(count)]

    cdef int _open(self, Words *words, tuple place) except -1:
        """Go to the first word of a place."""
        cdef uint8_t text[LONGEST_PLACE]
        cdef Py_ssize_t size = write_place(text, place)
        words.start = self._inner
        words.block = 0
        words.used = 8
        if size:
            sha256_update(&words.start, text, size)
        else:
            encoded = "/".join(map(str, place)).encode()
            sha256_update(&words.start, <const char *>encoded, len(encoded))
        return 0

    cdef inline uint32_t _next(self, Words *words) noexcept:
        """Return the next word."""
        cdef uint8_t *word
        if words.used == 8:
            self._hash_block(words)
        word = words.digest + 4 * words.used
        words.used += 1
        return <uint32_t>word[0] << 24 | <uint32_t>word[1] << 16 | <uint32_t>word[2] << 8 | word[3]

    cdef void _hash_block(self, Words *words) noexcept:
        cdef uint8_t number[LONGEST_NUMBER + 1]
        cdef Hash inner = words.start, outer = self._outer
        number[0] = SLASH
        sha256_update(&inner, number, 1 + write_number(number + 1, words.block))
        sha256_final(words.digest, &inner)
        sha256_update(&outer, words.digest, 32)
        sha256_final(words.digest, &outer)
        words.block += 1
        words.used = 0

    cdef inline uint32_t _below(self, Words *words, uint64_t n) except? 0xFFFFFFFF:
        """Return a number from 0 to n - 1, as `draws.below` does."""
        cdef uint64_t limit = WORDS - WORDS % n
        cdef uint32_t word = self._next(words)
        while word >= limit:
            word = self._next(words)
        return <uint32_t>(word % n)
