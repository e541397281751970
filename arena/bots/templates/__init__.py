"""New bot projects: what `arena init` writes.

    project    creates the folder of a project, completely or not at all
    python     the files of a Python bot, templates with $names

Projects in other languages are copies of the sample bots of the language, with the protos beside them.
"""
