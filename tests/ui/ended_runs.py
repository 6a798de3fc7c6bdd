"""A session in which a run ends at any look, as Streamlit ends one where another is to begin."""

from typing import Any


class EndedRun(Exception):
    """What Streamlit raises where another run is to begin."""


class EndingState(dict[str, object]):
    """A session's state at whose n-th look the run ends."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.looks_left = 0

    def _look(self) -> None:
        self.looks_left -= 1
        if self.looks_left == 0:
            raise EndedRun

    def get(self, key: str, default: Any = None) -> Any:
        self._look()
        return super().get(key, default)

    def setdefault(self, key: str, default: Any = None) -> Any:
        self._look()
        return super().setdefault(key, default)

    def __getitem__(self, key: str) -> Any:
        self._look()
        return super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._look()
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        self._look()
        super().__delitem__(key)
