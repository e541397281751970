import pytest
from click.testing import CliRunner

from arena.cli.tourney import command
from tests import installed

pytestmark = pytest.mark.usefixtures("in_process")

SHORT = ["--game", "cambio", "--bots", "random,random", "--rounds", "1", "--seed", "1", "--jobs", "1"]


def test_what_is_no_executor_is_said() -> None:
    done = CliRunner().invoke(command, [*SHORT, "--executor", "cloud"])
    assert done.exit_code == 2
    others = ", ".join(installed.of("cluster", "", "ray or ray:HOST:PORT"))
    assert f'"cloud" is not local{others}\n' in done.output
