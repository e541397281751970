"""The packages with features that are published with arena: what to install for a command or option that is missing."""

from arena.values.installing import how_to_install

ADDED = {
    "classroom": (
        "accounts import", "grades", "submit --from", "submit --owner", "submit --owners", "submit --deadline",
        "submit --jobs", "submit --reports",
    ),
    "insight": ("analyse", "league why", "replay --sandbox", "replay --what-if", "serve --analysis-cpu", "tourney why"),
    "mail": (
        "accounts mail", "accounts invite --mail", "doctor --mail-server", "doctor --mail-from",
        *(f"{server} --mail-{name}" for server in ("serve", "web") for name in (
            "server", "from", "language", "per-minute", "templates",
        )),
    ),
    "openid": tuple(f"{server} --openid-{name}" for server in ("serve", "web") for name in (
        "issuer", "client", "name", "domain", "group", "groups-claim", "scope", "create-accounts",
    )),
    "site": ("site",),
    "tune": ("tune",),
    "webhooks": (
        "accounts webhooks", "serve --webhook-network", "serve --local-webhooks", "web --webhook-network",
        "web --local-webhooks",
    ),
}  # fmt: skip
"""What each adds, as it is typed below `arena`; the package `botarena-NAME` is the extra NAME of botarena."""

EXECUTORS = {"ray": "cluster"}
"""The executors that they add, each with its package."""


def remedy(words: str) -> str:
    """Return which package has a command or an option, and how it is installed; empty if none of ours does.

    words: as they are typed below `arena`.
    """
    return next((_install(name) for name, added in ADDED.items() if words in added), "")


def executor_remedy(executor: str) -> str:
    """Return the same for an executor."""
    return _install(EXECUTORS[executor]) if executor in EXECUTORS else ""


def _install(name: str) -> str:
    return f"botarena-{name}: {how_to_install(f'botarena[{name}]')}"
