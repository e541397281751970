"""The message of the view, made from protos/."""
