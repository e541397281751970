"""The exceptions of checks: which promise was broken, where, and how to reproduce it."""


class Violation(Exception):
    """A test found a violation; its check raises `BrokenPromise` from it.

    what: the violation, in a sentence.
    step: the step of the match at which it shows; None if it concerns the whole match.
    """

    def __init__(self, what: str, step: int | None = None) -> None:
        self.what = what
        self.step = step
        super().__init__(what)


class BrokenPromise(AssertionError):
    """A game does not keep the contract.

    promise: the promise, in a sentence.
    what: the violation, in a sentence.
    where: game, options, seats, seeds and step.
    again: the line of Python that reproduces it.
    """

    def __init__(self, promise: str, what: str, where: str, again: str) -> None:
        self.promise = promise
        self.what = what
        self.where = where
        self.again = again
        super().__init__(f"{what}\npromise: {promise}\nwhere: {where}\nagain: {again}")
