"""Generated from protos/referee/v1 by `make protos`; never edited."""
