"""The money of Cucù and Lu Stù: none is lost, and the odd unit goes where the rules say."""

from hypothesis import given
from hypothesis import strategies as st

from referee.games.pool import Claim, Pool, divide, levelled, settle

WEIGHTS = st.dictionaries(st.integers(0, 19), st.integers(0, 100), min_size=1).filter(lambda given: any(given.values()))


@given(st.integers(0, 10_000), WEIGHTS)
def test_divide_loses_nothing(amount: int, weights: dict[int, int]) -> None:
    parts = divide(amount, weights)
    assert sum(parts.values()) == amount
    assert parts.keys() == weights.keys()
    total = sum(weights.values())
    rounded = {seat: amount * weight // total for seat, weight in weights.items()}
    earliest = min(seat for seat, weight in weights.items() if weight)
    assert all(parts[seat] == rounded[seat] for seat in weights if seat != earliest)


def test_the_rest_goes_to_the_earliest_seat_with_a_weight() -> None:
    assert divide(10, {5: 1, 3: 1, 7: 1}) == {5: 3, 3: 4, 7: 3}
    assert divide(5, {0: 0, 2: 1, 1: 1}) == {0: 0, 1: 3, 2: 2}


@given(st.dictionaries(st.integers(0, 19), st.integers(0, 100), min_size=1), st.floats(0, 1))
def test_levelled_takes_alike_and_from_nobody_more_than_he_has(purses: dict[int, int], part: float) -> None:
    amount = int(sum(purses.values()) * part)
    paid = levelled(amount, purses)
    assert sum(paid.values()) == amount
    assert all(0 <= paid[seat] <= purse for seat, purse in purses.items())
    # Who keeps money has paid as much as anybody, but for what does not divide evenly.
    spared = [paid[seat] for seat, purse in purses.items() if paid[seat] < purse]
    assert all(most - len(purses) < least for most in paid.values() for least in spared)


def test_who_has_less_pays_all_and_the_others_the_rest() -> None:
    assert levelled(9, {1: 6, 2: 6}) == {1: 5, 2: 4}
    assert levelled(9, {2: 8, 1: 1, 3: 9}) == {2: 4, 1: 1, 3: 4}
    assert levelled(7, {1: 3, 2: 4}) == {1: 3, 2: 4}


def test_without_claims_all_is_the_winners() -> None:
    assert settle(2, 60, ()) == {2: 60}
    assert settle(2, 60, (Claim(1, 2, percent=50), Claim(0, 1, paid=10))) == {2: 60}


def test_a_syndicate_shares_by_what_each_paid() -> None:
    claims = (Claim(2, 2, paid=15), Claim(2, 1, paid=5))
    assert settle(2, 50, claims) == {1: 13, 2: 37}


def test_a_percentage_is_of_ones_own_part_and_rounded_down() -> None:
    claims = (Claim(2, 2, paid=15), Claim(2, 1, paid=5), Claim(2, 0, percent=50), Claim(2, 1, percent=10))
    assert settle(2, 50, claims) == {0: 18, 1: 13 + 3, 2: 37 - 18 - 3}


def test_all_may_be_promised_away() -> None:
    assert settle(0, 99, (Claim(0, 1, percent=50), Claim(0, 1, percent=50))) == {0: 1, 1: 98}


def test_money_moves_and_none_is_lost() -> None:
    pool = Pool(3, stake=10, bankroll=100)
    assert (pool.amount, pool.purses, pool.scores) == (30, (90, 90, 90), (-10, -10, -10))
    pool.pay(1, 40)
    assert (pool.amount, pool.purses, pool.scores) == (70, (90, 50, 90), (-10, -50, -10))
    pool.pay_seat(1, 2, 5)
    assert (pool.purses, pool.scores) == ((90, 45, 90), (-10, -55, -5)), "money won cannot be spent"
    pool.claims = (Claim(0, 2, percent=50),)
    assert pool.pay_out({0: 1}) == (35, 0, 35)
    assert (pool.amount, pool.scores) == (0, (25, -55, 30))


def test_the_price_doubles() -> None:
    pool = Pool(2, stake=10, bankroll=100)
    prices = []
    for pool.doublings in range(4):
        prices.append(pool.price)
    assert prices == [10, 20, 40, 80]


def test_a_copied_pool_is_independent() -> None:
    pool = Pool(2, stake=10, bankroll=100)
    twin = pool.copy()
    twin.pay(0, 20)
    twin.doublings += 1
    assert (pool.amount, pool.purses, pool.scores, pool.price) == (20, (90, 90), (-10, -10), 10)
