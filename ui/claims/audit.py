"""An audit run beside the page: it reports progress, can be stopped, and keeps what it has.

It ends by itself when its session is over, or after a quarter of an hour.
"""

from dataclasses import dataclass, field
from math import inf, log10
from time import monotonic

import streamlit as st

from dpca_core.audit.audit import Audit, audit
from dpca_core.audit.worst_pair import worst_pair
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget, Notion, Standing
from dpca_core.text.privacy_numbers import epsilon_text, upward
from ui.claims.controls import asked
from ui.claims.epsilon_scale import share_of
from ui.claims.query import Asked
from ui.server.background_job import WAITING_MESSAGE, BackgroundJob
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER, busy_message
from ui.text.numbers import count, downward, percent, significant

RELEASES = (1000, 4000, 20_000, 100_000)
LONGEST = 900.0
"""Seconds after which it ends."""


@dataclass
class Job(BackgroundJob):
    """One audit in a thread of its own."""

    asked: Asked
    releases: int
    seed: int
    share: float = 0.0
    found: Audit | None = None
    problem: str | None = None
    pair: str = ""
    begun: float = field(default_factory=monotonic)

    def _work(self) -> None:
        at, mechanism = self.asked, MECHANISMS[self.asked.mechanism]
        try:
            with BACKGROUND_SCHEDULER.turn(urgent=False):
                if not self._progress(0.0):
                    return
                self.waiting = False
                pair = worst_pair(mechanism, at.d, at.k, at.n, at.budget)
                self.pair = pair.name
                self.found = audit(
                    mechanism, pair, at.budget,
                    releases=self.releases, seed=self.seed, on_progress=self._progress,
                )  # fmt: skip
        except (InfeasibleBudget, ValueError) as error:
            self.problem = str(error)

    def _progress(self, share: float) -> bool:
        self.share = share
        PAGE_SCHEDULER.yield_to_waiting()
        return not (self.should_stop or monotonic() - self.begun > LONGEST)


def draw() -> None:
    """Draw controls, progress and verdict."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="audit"):
        st.segmented_control(
            "Releases of each data set",
            RELEASES,
            default=RELEASES[1],
            required=True,
            format_func=count,
            key="audit.releases",
        )
        st.number_input("Seed", 0, 2**32 - 1, 0, key="audit.seed", width=130)
        job: Job | None = st.session_state.get("audit")
        if job is not None and job.running:
            st.button("Stop", on_click=job.stop.set, key="audit.stop")
        else:
            st.button("Attack", type="primary", on_click=_start, key="audit.start")
    if job is not None:
        _watch()


def _start() -> None:
    """Begin with what the controls say at the moment of the click."""
    state = st.session_state
    job = Job(asked(), int(state["audit.releases"]), int(state["audit.seed"]))
    state["audit"] = job
    job.start()


def _watch() -> None:
    job: Job = st.session_state["audit"]
    if job.running:
        _progress()
    else:
        _verdict(job)


@st.fragment(run_every=0.4)
def _progress() -> None:
    job: Job = st.session_state["audit"]
    if not job.running:
        st.rerun()
    done = int(job.share * job.releases)
    name = MECHANISMS[job.asked.mechanism].name
    text = f"{name}: {count(done)} of {count(job.releases)} releases of each"
    st.progress(job.share, WAITING_MESSAGE if job.waiting else busy_message(False, f"{text}."))


def _verdict(job: Job) -> None:
    if job.problem or job.found is None:
        st.info(job.problem or "The audit was stopped before its first releases.")
        return
    found, name = job.found, MECHANISMS[job.asked.mechanism].name
    st.html(
        f'<div class="claims"><p class="answer">{verdict(found, name)}</p>'
        f'<p class="under">{_details(job, found)}</p>{_scale(found)}</div>'
    )


def verdict(found: Audit, name: str) -> str:
    """Say in one sentence who is convicted of what."""
    bound = downward(found.epsilon_lower)
    if found.convicted and certified(found.guarantee):
        return f"<em>Broken</em>: {name} spends at least ε = {bound}; this is a fault of ours."
    if found.claim_convicted and found.claim is not None:
        return (
            f"<em>Convicted</em>: {name} spends at least <b>ε\u00a0=\u00a0{bound}</b>; its paper "
            f"claims {epsilon_text(found.claim.epsilon)}."
        )
    if not certified(found.guarantee):
        return f"Not convicted: the attack shows only ε ≥ {bound}, which certifies nothing."
    if found.epsilon_lower == 0:
        return (
            "Not convicted: the attack shows nothing, "
            f"and ε\u00a0=\u00a0{upward(found.guarantee.epsilon)} is proved."
        )
    return (
        f"Acquitted: the attack shows ε ≥ <b>{bound}</b>, and "
        f"{upward(found.guarantee.epsilon)} is proved."
    )


def power(found: Audit) -> str:
    """Say what so many releases can show, whoever attacks, and whether a better attack exists."""
    tested = f"{count(found.tested)} tested releases of each"
    if found.least == inf:
        return f"With {tested} no attack can show anything: take more."
    text = (
        f"With {tested} no attack can be expected to show less than "
        f"ε\u00a0=\u00a0{upward(found.least)}"
    )
    if certified(found.guarantee) and found.most > 0:
        gaussian = found.guarantee.noise_multiplier is not None
        easiest = "the mechanism easiest to attack of all that keep this promise"
        text += (
            f"; {'Gaussian noise seen whole' if gaussian else easiest} shows about "
            f"{significant(found.most)} on average"
        )
    if found.decisive:
        return f"{text}. This one goes by the likelihood ratio: only more releases can show more."
    return f"{text}. A better attack than this one may show more."


def certified(guarantee: Guarantee) -> bool:
    """Whether something is proved of a mechanism at its ε."""
    return guarantee.notion is not Notion.NONE and guarantee.standing is not Standing.REFUTED


def _details(job: Job, found: Audit) -> str:
    stopped = f" Stopped after {percent(found.done)}." if found.done < 1 else ""
    return (
        f"Two data sets that differ in {job.pair}, {count(found.releases)} releases of each, seed "
        f"{job.seed}.{stopped} On one half the attacker chose what to look at; on the other half "
        f"he was right {percent(found.true_positive_rate)} of the time and wrong "
        f"{percent(found.false_positive_rate)}. {found.statistic} {power(found)} The "
        f"bound holds with {found.level * 100:g}\u00a0% confidence, at the δ asked for. No audit "
        "proves privacy."
    )


def _scale(found: Audit) -> str:
    """Bar: what the attack shows. Ring: the claim. Dot: what holds."""
    marks = [f'<i class="tick" style="left: {share_of(10.0**e):.2f}%">{epsilon_text(10.0**e)}</i>'
             for e in range(-3, 3)]  # fmt: skip
    bars = []
    if found.epsilon_lower > 0 and log10(found.epsilon_lower) > -3:
        bars.append(f'<i class="bar" style="width: {share_of(found.epsilon_lower):.2f}%"></i>')
    if found.claim is not None:
        bars.append(f'<i class="ring" style="left: {share_of(found.claim.epsilon):.2f}%"></i>')
    if certified(found.guarantee):
        bars.append(f'<i class="dot" style="left: {share_of(found.guarantee.epsilon):.2f}%"></i>')
    legend = "bar: ε shown by the attack; ring: claimed; dot: proved"
    return (
        f'<div class="strip"><div class="plot">{"".join(bars)}</div>'
        f'<div class="head"><div class="plot">{"".join(marks)}</div></div>'
        f'<p class="sub">{legend}</p></div>'
    )
