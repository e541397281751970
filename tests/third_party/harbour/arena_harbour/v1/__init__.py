"""The messages of Harbour, made from protos/."""
