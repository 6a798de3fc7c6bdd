"""A session in which a run ends at any look, as Streamlit ends one where another is to begin."""


class EndedRun(Exception):
    """What Streamlit raises where another run is to begin."""


def looking(name):
    """Return a method of a dict that counts as a look."""

    def look(state, *arguments):
        state.looks_left -= 1
        if state.looks_left == 0:
            raise EndedRun
        return getattr(dict, name)(state, *arguments)

    return look


class EndingState(dict):
    """A session's state at whose n-th look the run ends."""

    looks_left = 0
    get, setdefault = looking("get"), looking("setdefault")
    __getitem__, __setitem__ = looking("__getitem__"), looking("__setitem__")
    __delitem__ = looking("__delitem__")
