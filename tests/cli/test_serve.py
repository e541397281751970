"""`arena serve`: pages and leagues in one program."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.bots.hand_ins import HandIns
from arena.cli import main
from arena.league.control import pause
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.store import open_store
from arena.store.backup import back_up
from sample_bots import SAMPLES
from tests import installed, leagues
from tests.serving import page, port_in, serving, wait_until
from tests.tournament.processes import Watched, descendants


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.mark.processes
def test_a_league_that_is_created_meanwhile_is_run_and_goes_on_after_a_kill(path: Path) -> None:
    with serving(path) as (process, port), open_store(path, write=True) as store:
        assert page(port, "/")[0] == 200
        leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        wait_until(store, process, lambda store: Leagues(store).named("cambio").results > 0)
        assert page(port, f"/matches/{store.matches(limit=1)[0].id}")[0] == 200, (
            "a league never ends, so it hides nothing"
        )
        below = Watched(descendants(process.pid))
        process.kill()
        process.wait()
        assert below.survivors() == []
    with open_store(path, write=True) as store:
        known = Leagues(store).named("cambio").results
        with serving(path) as (process, _):
            wait_until(store, process, lambda store: Leagues(store).named("cambio").results > known)
            process.terminate()
            assert process.wait() == 0
        assert all(batch.state != "leased" for batch in Batches(store).of(Leagues(store).named("cambio").id))


@pytest.mark.promise
def test_a_server_is_watched_by_its_health_metrics_and_log(path: Path) -> None:
    more = ["--log", "json", "--access-log", "--metrics", "127.0.0.1:0", "--public-url", "https://arena.example"]
    with serving(path, *more) as (process, port), open_store(path, write=True) as store:
        assert process.stderr is not None
        metrics = port_in(process.stderr.readline())
        leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        wait_until(store, process, lambda store: Leagues(store).named("cambio").results > 0)
        status, health = page(port, "/healthz")
        assert (status, json.loads(health)) == (
            200,
            dict.fromkeys(("status", "database", "hand_ins", "leagues", *installed.of("webhooks", "webhooks")), "ok"),
        )
        assert page(port, "/invitations/s3cret?token=s3cret")[0] == 404
        assert page(port, "/metrics")[0] == 404, "they are not public"
        status, text = page(metrics, "/metrics")
        assert status == 200
        stored = re.search(r'arena_league_batches{league="cambio",state="stored"} ([0-9.]+)', text)
        assert stored is not None
        assert float(stored[1]) >= 1
        assert 'arena_http_requests_total{method="GET",route="/invitations/{secret}",status="404"} 1.0' in text
        assert "process_resident_memory_bytes" in text
        process.terminate()
        lines = process.stderr.read().splitlines()
        assert process.wait() == 0
    assert "s3cret" not in "".join(lines)
    events = [json.loads(line) for line in lines]
    assert {"batch_stored", "request"} <= {event["event"] for event in events}
    batch = next(event for event in events if event["event"] == "batch_stored")
    assert (batch["league"], batch["level"], type(batch["batch"])) == ("cambio", "info", int)
    assert not any("healthz" in event["message"] for event in events)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--metrics", "9464"], "9464 is not HOST:PORT, such as 127.0.0.1:9464"),
        (["--public-url", "arena.example"], "is no address of a site"),
        (["--create-accounts"], "--create-accounts needs --trust-header"),
        (
            ["--trust-header", "X-User", "--trusted-proxy", "127.0.0.1", "--build-network"],
            "--build-network lets builds reach this machine, from whose address --trust-header X-User signs anybody in",
        ),
    ],
)
def test_an_address_that_cannot_be_used_is_a_sentence(path: Path, more: list[str], sentence: str) -> None:
    words = ["serve", "--port", "0", "--trust-bots", "--db", str(path), *more]
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, type(done.exception)) == (2, SystemExit)
    assert sentence in done.stderr


@pytest.mark.processes
def test_a_backup_of_a_server_that_plays_is_restored_by_starting_on_it(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with serving(path) as (process, _), open_store(path, write=True) as store:
        leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        wait_until(store, process, lambda store: Leagues(store).named("cambio").results > 0)
        handed_in = [HandIns(store).receive("ann", f"ann/owl-{place}", "owl.zip", b"no zip") for place in range(2)]
        back_up(path, copy)
        process.kill()
        process.wait()
    path.unlink()
    with open_store(copy, write=True) as store:
        results = Leagues(store).named("cambio").results
        assert results > 0
        assert not HandIns(store).find(handed_in[-1]).is_finished
        with serving(copy) as (process, _):
            wait_until(store, process, lambda store: Leagues(store).named("cambio").results > results)
            pause(store, "cambio", "ann", "what was played is enough")
            wait_until(store, process, lambda store: all(HandIns(store).find(id).is_finished for id in handed_in))
            process.terminate()
            assert process.wait() == 0
        assert {HandIns(store).find(id).state for id in handed_in} == {"refused"}
    done = CliRunner().invoke(main, ["league", "verify", "cambio", "--db", str(copy)])
    assert done.exit_code == 0, done.output
