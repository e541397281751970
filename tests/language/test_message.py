"""Messages: English texts that know their ids and arguments."""

from copy import deepcopy

from arena.language.message import Message, arguments, id_of, parts


def test_a_message_is_its_english_text() -> None:
    message = Message("seat {0} bids {1}", 2, Message("{0}x{1}", 3, Message("skull")))
    assert message == "seat 2 bids 3xskull"
    assert type(str(message)) is str
    assert (id_of(message), arguments(message)[0]) == ("seat {0} bids {1}", 2)


def test_a_text_without_arguments_is_its_own_id() -> None:
    assert (id_of("pile"), arguments("pile"), parts("pile"), parts(Message("pile"))) == ("pile", (), "pile", "pile")


def test_parts_are_an_id_and_arguments_of_which_only_arrays_are_translated() -> None:
    bid = Message("{0}x{1}", 3, Message("skull"))
    assert parts(Message("seat {0} bids {1}", 2, bid)) == ["seat {0} bids {1}", 2, ["{0}x{1}", 3, ["skull"]]]
    assert parts(Message("seat {0} says: {1}", 2, "{0} skull")) == ["seat {0} says: {1}", 2, "{0} skull"]


def test_a_copy_of_a_message_is_one() -> None:
    message = Message("seat {0}", 2)
    assert parts(deepcopy(message)) == parts(message)
