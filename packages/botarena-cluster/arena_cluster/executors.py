"""The executor of this package, for the entry points."""

from arena.hooks.executors import PluginExecutor

RAY = PluginExecutor(
    "ray[:ADDRESS]", "ray or ray:HOST:PORT", "on a Ray cluster (HOST:PORT)", "arena_cluster.ray_cluster:ray_cluster"
)
