"""Prometheus accepts the alert rules in `deploy`, fires each of them when it should, and understands the dashboard.

`promtool`, which comes with Prometheus, is asked. Grafana itself is not: of the dashboard its expressions are tried
here, and tests/server/monitoring/test_dashboards.py compares what they name with the metrics that there are.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
DEPLOY = HERE.parents[1] / "deploy"
RULES = DEPLOY / "prometheus-rules.yml"

pytestmark = pytest.mark.toolchain


@pytest.fixture
def promtool() -> str:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed (Debian: prometheus)")
    return program


def run(*words: str | Path) -> tuple[int, str]:
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def test_the_rules_are_accepted(promtool: str) -> None:
    code, printed = run(promtool, "check", "rules", "--lint=all", "--lint-fatal", RULES)
    assert code == 0, printed
    assert "9 rules found" in printed


def test_each_alert_fires_when_it_should_and_only_then(promtool: str, tmp_path: Path) -> None:
    for file in (RULES, HERE / "alerts.yml"):
        shutil.copy(file, tmp_path)
    code, printed = run(promtool, "test", "rules", tmp_path / "alerts.yml")
    assert code == 0, printed
    names = {rule["alert"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]}
    tests = yaml.safe_load((HERE / "alerts.yml").read_text())["tests"]
    fired = {test["alertname"] for series in tests for test in series["alert_rule_test"] if test.get("exp_alerts")}
    assert fired == names


def test_the_configuration_of_the_docs_is_accepted(promtool: str, tmp_path: Path) -> None:
    page = (DEPLOY.parent / "docs/server.md").read_text()
    block = re.search(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert block is not None
    config = tmp_path / "prometheus.yml"
    config.write_text(block[1].replace("/usr/local/src/botarena/deploy", str(DEPLOY)))
    code, printed = run(promtool, "check", "config", config)
    assert code == 0, printed
    assert "9 rules found" in printed


def test_prometheus_understands_the_expressions_of_the_dashboard(promtool: str, tmp_path: Path) -> None:
    dashboard = (DEPLOY / "grafana-dashboard.json").read_text()
    expressions = [target["expr"] for panel in panels(json.loads(dashboard)) for target in panel.get("targets", [])]
    assert len(expressions) > 10
    plain = [expression.replace("$__rate_interval", "5m").replace("$__range", "1h") for expression in expressions]
    rules = [{"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(plain)]
    file = tmp_path / "dashboard.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    code, printed = run(promtool, "check", "rules", file)
    assert code == 0, printed


def panels(dashboard: dict[str, list[dict[str, list[dict[str, str]]]]]) -> list[dict[str, list[dict[str, str]]]]:
    return dashboard["panels"]
