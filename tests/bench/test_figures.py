from arena.bench.figures import Figure, rounded


def test_the_value_is_the_median_and_json_has_the_runs() -> None:
    figure = Figure("engine.rules", "decisions/s", (250_000.4, 3.0, 123_456.7), "apply", {"seats": 6})
    assert figure.value == 123_456.7
    assert figure.to_json() == {
        "name": "engine.rules",
        "value": 123_457,
        "unit": "decisions/s",
        "runs": [250_000, 3.0, 123_457],
        "what": "apply",
        "conditions": {"seats": 6},
    }


def test_values_keep_four_digits() -> None:
    assert [rounded(value) for value in (0.123456, 12.3456, 999.96, 1234.5)] == [0.1235, 12.35, 1000.0, 1234]
