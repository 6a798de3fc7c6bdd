"""Which ledger a release is booked in: one in memory for practice, else one on a disk."""

from pathlib import Path

import streamlit as st

from dpca_core.release.ledger import Ledger, LedgerError, ledger_path, server_ledger
from ui.figures.markup import element, sentence
from ui.release import text
from ui.server.login import login_required

PRACTICE_LEDGER, FOLDER = "release.practice-ledger", "release.ledger-folder"
"""Session keys."""
_LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}
_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded")


def practice_ledger() -> Ledger:
    """Return the session's ledger for practice, which is forgotten with it."""
    if PRACTICE_LEDGER not in st.session_state:
        st.session_state[PRACTICE_LEDGER] = Ledger.in_memory()
    found: Ledger = st.session_state[PRACTICE_LEDGER]
    return found


def own_ledger() -> Ledger | None:
    """Return the ledger for the owner's own table; draw what asks for it where there is none."""
    named = server_ledger()
    if named is not None:
        return Ledger(named, owner())
    if not on_laptop():
        st.html(element("p", sentence(text.NO_LEDGER_ON_SERVER), class_="release-error"))
        return None
    proposed = ledger_path()
    kept = st.session_state.get(FOLDER, "")
    if kept:
        st.html(element("p", sentence(f"Ledger: {kept}"), class_="release-note"))
        return Ledger(Path(kept) / proposed.name, owner())
    st.html(element("p", sentence(text.NAME_A_FOLDER), class_="release-note"))
    folder = st.text_input("Folder of the ledger", str(proposed.parent), key="release-folder")
    if st.button("Keep the ledger there", key="release-keep-ledger"):
        if Path(folder).expanduser().is_absolute():
            st.session_state[FOLDER] = str(Path(folder).expanduser())
            st.rerun()
        st.html(element("p", "Name the folder by its whole path.", class_="release-error"))
    return None


def known_ledger() -> Ledger | None:
    """Return the owner's ledger for reading, where its place is known; nothing is asked.

    On one's own machine that is the folder of this session, else the usual one. On a server without
    a login accounts are shown to nobody who has not decided on a table.
    """
    if not (on_laptop() or login_required()):
        return None
    named, usual = server_ledger(), ledger_path()
    if named is None:
        if not on_laptop():
            return None
        kept = st.session_state.get(FOLDER, "")
        named = Path(kept) / usual.name if kept else usual
    return Ledger(named, owner())


def owner() -> str:
    """Return whose accounts the session sees: the subject of its login, "" without one."""
    if not login_required():
        return ""
    subject = st.user.get("sub")
    if not isinstance(subject, str) or not subject:
        raise LedgerError("The login says no subject, so no account can be told from another’s.")
    return subject


def on_laptop() -> bool:
    """Tell whether this server answers one person's own machine alone, without a proxy."""
    hosts = set(st.get_option("server.allowedHosts") or ())
    forwarded = any(st.context.headers.get(name) for name in _FORWARDED)
    return bool(hosts) and hosts <= _LOOPBACK and not login_required() and not forwarded
