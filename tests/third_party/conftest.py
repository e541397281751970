# What lies here is a package of somebody else's: its tests need it installed (see tests/test_third_party.py).
collect_ignore_glob = ["*"]
