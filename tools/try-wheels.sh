#!/bin/sh
# Tries the wheels of botarena, botarena-sdk and botarena-rules in a folder, in an environment with nothing else:
# tools/try-wheels.sh PYTHON FOLDER [codec]
# First botarena-sdk alone: a bot is asked, and one that looks ahead says what it lacks. Then botarena-sdk[positions]: worlds and search.
# Then botarena: a small tournament, `arena verify` and `arena doctor`, with all compiled, or only what is in Cython. Then the packages
# with features: `arena.envs` is there, and goes with its package. Then one after the other is removed: the others work, or say what is missing.
set -eu
python=$1 wheels=$(cd "$2" && pwd) compiled=${3:-all}
uv=${UV:-uv}
room=$(mktemp -d)
chmod a+rx "$room"  # whoever bots run as reads them there
trap 'rm -rf "$room"' EXIT
trap 'exit 1' HUP INT TERM
failed() { echo "FAILED: $1" >&2; cat "$room/trial.log" >&2; exit 1; }

"$uv" venv --quiet --clear --python "$python" "$room/venv"
PATH=$room/venv/bin:$PATH
cd "$room"
: >trial.log
pip() { "$uv" pip "$@" --quiet --python "$room/venv"; }

cat >bot.py <<'PYTHON'
from arena.sdk import Bot, Question
from referee.v1.cambio_pb2 import CambioView


class Mine(Bot[CambioView]):
    games = ("cambio",)

    def choose(self, question: Question[CambioView]) -> int:
        return 0


if __name__ == "__main__":
    Mine().run()
PYTHON

cat >ahead.py <<'PYTHON'
from bot import Mine


class Ahead(Mine):
    wants_positions = True

    def choose(self, question):
        assert question.position.world().legal() == question.legal
        return 0


if __name__ == "__main__":
    Ahead().run()
PYTHON

use_rules() {  # worlds and search of each game, without a referee
    python - <<'PYTHON' >trial.log 2>&1
import os
from random import Random

from arena.positions import Position
from arena.search import evaluate
from referee.engine import registry
from referee.engine.chance import Chance, seed_from_number
from referee.engine.events import visible

for name in registry.names():
    game = registry.game(name)
    options, seats = game.options(), game.seats[0]
    state = game.start(options, seats, Chance(seed_from_number(1)))
    [seat, *_] = state.asked
    position = Position(game, options, seats, seat, 1)
    position.ask([event for event in state.events if visible(game.lines, event, seat)], state.view(seat), state.legal(seat))
    assert position.world().legal(seat) == state.legal(seat)
    assert evaluate(position, worlds=2, rng=Random(1)).best in state.legal(seat)
if os.environ.get("COMPILED") == "all":
    from referee.engine import game

    assert game.__file__.endswith(".so"), game.__file__
PYTHON
}

use_sdk() { python -c 'import bot, arena.sdk.message_codec as codec; assert codec.NATIVE' && ! python bot.py 2>>trial.log; }

pip install "$(echo "$wheels"/botarena_sdk-*.whl)"
use_sdk || failed "botarena-sdk alone"
python - <<'PYTHON' || failed "the size of botarena-sdk"
import sysconfig
from pathlib import Path

folder = Path(sysconfig.get_path("purelib"))
size = sum(path.stat().st_size for name in ("arena", "referee") for path in folder.joinpath(name).rglob("*"))
print(f"botarena-sdk has {size / 1e6:.1f} MB beyond grpcio and protobuf")
assert size < 10e6
PYTHON
! ARENA_ADDRESS=unix:/nobody ARENA_TOKEN=owl python ahead.py >trial.log 2>&1 || failed "a bot that looks ahead without the rules"
grep -q "pip install .*'botarena-sdk\[positions\]'" trial.log || failed "the sentence without the rules"

pip install --find-links "$wheels" "$(echo "$wheels"/botarena_sdk-*.whl)[positions]"
COMPILED=$compiled use_rules || failed "botarena-sdk[positions]"
[ ! -e venv/bin/arena ] || failed "botarena-sdk[positions] brings the command arena"

pip install --find-links "$wheels" "$(echo "$wheels"/botarena-*.whl)"
{
    arena tourney --game cambio --rounds 3 --trust-bots --db trial.db &&
        arena verify 1 --db trial.db &&
        arena match --game cambio ./bot.py random --db trial.db &&
        arena match --game cambio ./ahead.py random --json --db trial.db >ahead.json &&
        python -c 'import json; match = json.load(open("ahead.json")); assert not match["faults"], match' &&
        arena doctor --json >doctor.json
} >trial.log 2>&1 || failed "a tournament"
COMPILED=$compiled python - <<'PYTHON' || failed "what is compiled"
import json
import os
from pathlib import Path

from referee import codec
from referee.build_info import compiled

findings = {finding["name"]: finding for finding in json.loads(Path("doctor.json").read_text())["findings"]}
if os.environ["COMPILED"] == "all":
    assert compiled() and findings["rules"]["sentence"].startswith("compiled"), findings["rules"]
assert codec.NATIVE and findings["codec"]["verdict"] == "good", findings["codec"]
left = [path.name for path in Path(codec.__file__).parents[1].rglob("*") if path.suffix in {".c", ".o", ".pyx", ".pxd"}]
assert not left, f"left of the build: {left}"
PYTHON

steps() { python -c 'import arena; from arena.envs.vector import VectorEnv; VectorEnv("kille", 2, seats=3).reset()' >trial.log 2>&1; }
! steps || failed "arena.envs without botarena-envs"
for wheel in "$wheels"/botarena_*.whl; do
    case $wheel in */botarena_sdk-* | */botarena_rules-*) ;; *) pip install --find-links "$wheels" "$wheel" ;; esac
done
steps || failed "arena.envs"
python -c 'from arena.envs.compiled import native; assert native' >trial.log 2>&1 || failed "what is compiled of arena.envs"
arena games >trial.log 2>&1 || failed "arena with the packages with features"
pip uninstall botarena-envs
! steps || failed "arena.envs after botarena-envs"
arena games >trial.log 2>&1 || failed "arena after botarena-envs"

for name in sdk rules; do
    pip uninstall "botarena-$name"
    ! arena games >trial.log 2>&1 || failed "arena without botarena-$name"
    grep -qx "botarena-$name, which botarena needs, is not installed: .*" trial.log || failed "the sentence without botarena-$name"
    pip install --find-links "$wheels" "$(echo "$wheels/botarena_$name"-*.whl)"
    arena games >trial.log 2>&1 || failed "arena with botarena-$name again"
done
pip uninstall botarena
use_rules || failed "botarena-rules after botarena"
pip uninstall botarena-rules
use_sdk || failed "botarena-sdk after botarena"
[ ! -e venv/bin/arena ] || failed "the command of botarena is left"
