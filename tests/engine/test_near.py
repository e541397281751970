from referee.engine.near import did_you_mean


def test_the_known_word_that_is_most_like_it_is_told_if_any_is() -> None:
    assert did_you_mean("chip", ("shape", "chips", "clip")) == '; did you mean "chips"?'
    assert did_you_mean("xyz", {"chips": 1}) == ""
    assert did_you_mean("chips", ()) == ""
