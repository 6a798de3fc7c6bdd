"""What the catalogue knows of each built-in data set."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from dpca_core.dataset import Dataset, Leak, Unit
from dpca_core.mechanism import Parameter

_PERSON = Unit()


@dataclass(frozen=True)
class Source:
    """A built-in data set: where it comes from and how to load it.

    Attributes
    ----------
    load
        Called with the key it shall carry and the parameters' values.
    parameters
        Settings of a synthetic set, with label, unit and range, as a page needs them.
    """

    key: str
    name: str
    short: str
    description: str
    origin: str
    licence: str
    default_k: int
    load: Callable[..., Dataset]
    unit: Unit = _PERSON
    parameters: tuple[Parameter, ...] = ()

    def make(self, values: Mapping[str, float] | None = None) -> Dataset:
        """Load the set, with its default parameters unless others are given.

        Raises
        ------
        ValueError
            For a parameter that is unknown or outside its range.
        """
        chosen = self.checked(values or {})
        return self.load(self.key_with(chosen), **chosen)

    def checked(self, values: Mapping[str, float]) -> dict[str, float]:
        """All parameters: those given, moved to whole numbers where the default is one."""
        known = {p.name: p for p in self.parameters}
        if unknown := set(values) - set(known):
            raise ValueError(f"{self.name} has no setting {', '.join(sorted(unknown))}.")
        chosen = {name: values.get(name, p.default) for name, p in known.items()}
        for name, value in chosen.items():
            p = known[name]
            if not p.low <= value <= p.high:
                raise ValueError(f"{p.label} must be {p.low:g} to {p.high:g}, not {value:g}.")
        return {n: int(v) if isinstance(known[n].default, int) else v for n, v in chosen.items()}

    def key_with(self, values: Mapping[str, float]) -> str:
        """Return a key that says everything: "wangxu?p=80" where p is not its default."""
        default = {p.name: p.default for p in self.parameters}
        other = {n: f"{v:g}" for n, v in values.items() if v != default[n]}
        return f"{self.key}?{urlencode(other)}" if other else self.key


def values_in(key: str) -> dict[str, float]:
    """Parameters in a key; ValueError where one is not a number."""
    return {name: float(text) for name, text in parse_qsl(key.partition("?")[2])}


PUBLIC_SIZE = Leak("Size n", "hollow", "not used: the noise is on the sum, not on the mean", "no ε")
NO_CATEGORIES = Leak("Categories", "hollow", "none: every column is a number", "no ε")


def ball(text: str) -> Leak:
    """How the norm bound was chosen, in public."""
    return Leak("Norm bound", "hollow", text, "no ε")


def centre(text: str) -> Leak:
    """How the data were centred, in public."""
    return Leak("Centring", "hollow", text, "no ε")
