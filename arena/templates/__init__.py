"""New bot projects: what `arena init` writes.

    project    a folder that is made whole or not at all
    python     the files of a Python bot, with $names to be filled in

Projects in other languages are copies of the sample bots of the language, with the protos beside them.
"""
