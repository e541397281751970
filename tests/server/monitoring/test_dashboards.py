"""The alert rules and the dashboard in `deploy`: they parse, and name metrics and labels that there are."""

import json
import re
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import insert

from arena.bots.hand_ins import HandIns
from arena.league.store.batches import Batches
from arena.server.monitoring.metrics import Metrics
from arena.server.monitoring.requests import FinishedRequest
from arena.store import open_store
from arena.store.engine.schema import league_ratings
from arena.values.rows import utc_now
from arena.values.server_log import LOGGER
from tests import leagues

DEPLOY = Path(__file__).parents[3] / "deploy"
RULES = yaml.safe_load((DEPLOY / "prometheus-rules.yml").read_text())
DASHBOARD = json.loads((DEPLOY / "grafana-dashboard.json").read_text())

OF_PROMETHEUS = {"up": {"job", "instance"}}
"""Metrics that Prometheus makes itself, of each server that it asks."""

ADDED = {"job", "instance"}
"""Labels that it adds to all metrics."""

WORDS = {"by", "and", "or", "unless", "bool", "on"}


class Unknown(Exception):
    """An expression names a metric, or a label, that does not exist."""


def check(expression: str, metrics: Mapping[str, Set[str]]) -> set[str]:
    """Return the metrics that an expression of PromQL names. Raises Unknown.

    metrics: those that there are, with their labels.
    """
    plain = re.sub(r"\[[^\]]*\]", "", expression)
    plain = re.sub(r'"[^"]*"', '""', plain)
    bare = re.sub(r"by \([^)]*\)", "", plain)
    known: set[str] = set()
    for name, opens, matchers in re.findall(r"(?<![\w.:])([a-zA-Z_:][\w:]*)\s*(\(?)(\{[^}]*\})?", bare):
        if opens or name in WORDS:
            continue
        if name not in metrics:
            raise Unknown(f"there is no metric {name}")
        known.add(name)
        for label in re.findall(r"([a-zA-Z_]+)\s*(?:=|!)", matchers):
            if label not in metrics[name] | ADDED:
                raise Unknown(f"{name} has no label {label}")
    labels = set().union(ADDED, *(metrics[name] for name in known))
    for grouping in re.findall(r"by \(([^)]*)\)", plain):
        for label in re.split(r",\s*", grouping):
            if label not in labels:
                raise Unknown(f"nothing in {expression} has a label {label}")
    return known


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[str]]]:
    """All metrics of a server that has a league with a stored batch, and their labels."""
    handlers = list(LOGGER.handlers)
    with open_store(tmp_path_factory.mktemp("metrics") / "arena.db", create=True) as store:
        league = leagues.league(store)
        assert Batches(store).add(league.id, leagues.batch(), 1)
        row = Batches(store).lease(league.id, "me", 0, 1)
        assert row is not None
        assert Batches(store).finish(leagues.lease(row), leagues.result([])) is not None
        HandIns(store).receive("ann", "ann/owl", "owl.py", b"")
        with store.write() as connection:
            connection.execute(insert(league_ratings).values(league_id=1, number=1, packed=b"", created=utc_now()))
        found = Metrics(store, lambda: 0)
        found.count(FinishedRequest("GET", "/", 200, 0.1, ""))
        known: dict[str, set[str]] = {}
        for family in found.registry.collect():
            assert family.samples, f"{family.name} has no sample, so its labels are unknown"
            for sample in family.samples:
                known.setdefault(sample.name, set()).update(sample.labels)
        yield known | OF_PROMETHEUS
    LOGGER.handlers[:] = handlers


def rules() -> list[dict[str, Any]]:
    return [rule for group in RULES["groups"] for rule in group["rules"]]


def test_every_metric_of_an_alert_exists(metrics: dict[str, set[str]]) -> None:
    for rule in rules():
        assert check(rule["expr"], metrics), rule["alert"]
        assert {"summary", "action"} <= set(rule["annotations"])
        assert rule["labels"]["severity"] in ("critical", "warning")
        words = " ".join(rule["annotations"].values())
        groups = re.findall(r"by \(([^)]*)\)", rule["expr"])
        left = set(re.findall(r"\w+", groups[0])) if groups else set().union(*metrics.values()) | ADDED
        assert set(re.findall(r"\$labels\.(\w+)", words)) <= left, f"{rule['alert']} shows a label that is summed up"
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names)) > 5


def test_every_metric_of_the_dashboard_exists(metrics: dict[str, set[str]]) -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 10
    named = set[str]()
    for panel in panels:
        for target in panel["targets"]:
            used = check(target["expr"], metrics)
            assert used, panel["title"]
            named |= used
            labels = set().union(ADDED, *(metrics[name] for name in used))
            assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= labels
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            found = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]["query"])
            assert found is not None
            assert found[2] in metrics[found[1]] | ADDED
    ours = {name for name in metrics if name.startswith("arena_")}
    unused = {name for name in ours - named if not name.endswith(("_sum", "_count"))}
    assert unused == set(), "the dashboard shows all there is"


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("arena_league_faling == 1", "there is no metric arena_league_faling"),
        ('rate(arena_events_total{kind="bug"}[5m]) > 0', "arena_events_total has no label kind"),
        ("sum by (bot) (arena_hand_ins)", "has a label bot"),
    ],
)
def test_what_does_not_exist_is_found(metrics: dict[str, set[str]], expression: str, sentence: str) -> None:
    with pytest.raises(Unknown, match=re.escape(sentence)):
        check(expression, metrics)


def test_no_panels_cover_each_other() -> None:
    cells: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        own = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not own & cells, panel["title"]
        assert max(x for x, _ in own) < 24
        cells |= own
