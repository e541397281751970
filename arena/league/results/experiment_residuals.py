"""The residuals of experiments: points minus expected points, for each experiment and entry."""

from collections.abc import Collection

import numpy as np
from scipy.sparse import csr_array

from arena.league.results.experiment_sums import FINEST, ExperimentSums
from arena.league.results.field_comparisons import places_of
from arena.ratings.keyed_sums import Floats, Ints


def experiment_residuals(sums: Collection[ExperimentSums], entries: Ints, strengths: Floats) -> csr_array:
    """Return a row for each experiment with an element for each entry that met another in it, which may be 0.

    sums: of each size of tables.
    entries: of the field, ascending.
    strengths: of each, in nats.
    """
    bits = min((part.bits for part in sums), default=FINEST)
    numbers, columns, values = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for part in sums:
        kind, number, _ = part.experiments()
        numbers.append(np.repeat(number & (1 << bits) - 1, part.size))
        columns.append(places_of(entries, part.kinds.entries)[kind].ravel())
        values.append(seat_residuals(part, entries, strengths).ravel())
    experiments, row = np.unique(np.concatenate(numbers), return_inverse=True)
    places = row, np.concatenate(columns)
    return csr_array((np.concatenate(values), places), (len(experiments), len(entries)))


def seat_residuals(sums: ExperimentSums, entries: Ints, strengths: Floats) -> Floats:
    """Return the residuals of the entries of each experiment and kind: a row for each row of `experiments`.

    entries, strengths: as in `experiment_residuals`.
    """
    from scipy.special import expit

    kind, _, (deals, *points) = sums.experiments()
    counts = sums.kinds.counts[kind]
    bots = places_of(entries, sums.kinds.entries)[kind]
    residuals = np.zeros(bots.shape)
    for pair, (one, other) in enumerate(zip(*sums.kinds.pairs, strict=True)):
        difference = strengths[bots[:, one]] - strengths[bots[:, other]]
        residual = points[pair] / 2 - deals * counts[:, pair] * expit(difference)
        residuals[:, one] += residual
        residuals[:, other] -= residual
    return residuals
