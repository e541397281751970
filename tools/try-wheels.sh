#!/bin/sh
# Tries the wheels of botarena and botarena-sdk in a folder, in an environment with nothing else:
# tools/try-wheels.sh PYTHON FOLDER [codec]
# First botarena-sdk alone: a bot is asked. Then both: a small tournament, `arena verify` and `arena doctor`, with all compiled, or
# only the codec. Then the packages with features: `arena.envs` is there, and goes with its package. Then either of both is removed:
# the other works, or says what is missing.
set -eu
python=$1 wheels=$(cd "$2" && pwd) compiled=${3:-all}
uv=${UV:-uv}
room=$(mktemp -d)
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

pip install --find-links "$wheels" "$(echo "$wheels"/botarena-*.whl)"
{
    arena tourney --game cambio --rounds 3 --trust-bots --db trial.db &&
        arena verify 1 --db trial.db &&
        arena match --game cambio ./bot.py random --db trial.db &&
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
    case $wheel in */botarena_sdk-*) ;; *) pip install --find-links "$wheels" "$wheel" ;; esac
done
steps || failed "arena.envs"
arena games >trial.log 2>&1 || failed "arena with the packages with features"
pip uninstall botarena-envs
! steps || failed "arena.envs after botarena-envs"
arena games >trial.log 2>&1 || failed "arena after botarena-envs"

pip uninstall botarena-sdk
! arena games >trial.log 2>&1 || failed "arena without botarena-sdk"
grep -qx 'botarena-sdk, which botarena needs, is not installed: .*' trial.log || failed "the sentence without botarena-sdk"
pip install "$(echo "$wheels"/botarena_sdk-*.whl)"
arena games >trial.log 2>&1 || failed "arena with botarena-sdk again"
pip uninstall botarena
use_sdk || failed "botarena-sdk after botarena"
[ ! -e venv/bin/arena ] || failed "the command of botarena is left"
