"""What the checks find, and the exception that tells it: which promise was broken, where, and how to see it again."""


class Violation(Exception):
    """What a check found. The check turns it into a `BrokenPromise`.

    what: a sentence. step: the step of the match at which it shows, None where that is the whole of it.
    """

    def __init__(self, what: str, step: int | None = None) -> None:
        self.what = what
        self.step = step
        super().__init__(what)


class BrokenPromise(AssertionError):
    """A game does not keep the contract.

    promise: the promise, in a sentence. what: what was found. where: game, options, seats, seeds and step.
    again: the line of Python that finds it again.
    """

    def __init__(self, promise: str, what: str, where: str, again: str) -> None:
        self.promise = promise
        self.what = what
        self.where = where
        self.again = again
        super().__init__(f"{what}\npromise: {promise}\nwhere: {where}\nagain: {again}")
