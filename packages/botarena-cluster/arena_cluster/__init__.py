"""Tournaments on the nodes of a Ray cluster: `--executor ray`.

executors    the executor as data, which is quick to import
ray_cluster  referees on the nodes: a unit is a task
ray_node     what runs on a node
bundles      ships the bots
"""
