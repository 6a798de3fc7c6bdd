"""What Present says: how to follow on one's own device, what its keys do, what may not leave."""

PRESENT_LABEL = "Present"
PRESENT_HELP = "Shows this page to a room: one chart at a time, large type, keys. Key P."
TRY_IT = "Try it yourself"
TRUE_DATA = "Shows true data: not a release"
GUIDE_LINK = "How to serve a room"
LARGER = "Larger code"
CLOSE_SHEET = "Close"
LEAVE = "Leave"
HINT = "← → ε · Page ↓ next · ? keys · Esc"
TURN = "Turn your phone"
KEYS_TITLE = "Keys"
KEYS = (
    ("Page ↓, Page ↑", "next, previous"),
    ("← →", "ε by one stop; with Shift by three"),
    ("↑ ↓", "directions k"),
    ("1 – 9", "that row of the list"),
    ("Space", "answer, or draw again"),
    ("D", "dark or light"),
    ("Q", "large code"),
    (".", "black screen"),
    ("F", "full screen"),
    ("P, Esc", "leave Present"),
)
"""Each key with what it does."""
