"""Why a nursery failed."""


def unwrap_group(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return what made a nursery fail: Ctrl-C, the only error, or the group itself."""
    if group.split(KeyboardInterrupt)[0] is not None:
        return KeyboardInterrupt()
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
