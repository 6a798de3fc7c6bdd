"""What was decided, as settings of Explore: a table is looked at as it would be published."""

from ui.owner.decide_answers import Answers
from ui.owner.decide_plans import Plans
from ui.state.session import change_settings
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, nearest_stop


def explore_as_decided(answers: Answers, columns: int) -> None:
    """Let Explore open as the chosen card would be released: its mechanism, budget and neighbours.

    With as many directions as shares, and as many people as were guessed. ε and δ move to the
    stops of Explore's sliders, which have no others.

    Parameters
    ----------
    columns
        Of the data set after coding, d: k is below it.
    """
    if answers.shares:
        change_settings(k=min(len(answers.shares), columns - 1))
    if answers.people is not None:
        change_settings(n=answers.people)
    plan = None if answers.chosen is None else Plans(answers).card(answers.chosen)
    if plan is not None:
        change_settings(
            mechanism=plan.recommendation.mechanism.key,
            epsilon=nearest_stop(plan.budget.epsilon, EPSILON_STOPS),
            delta=nearest_stop(plan.budget.delta, DELTA_STOPS),
            adjacency=str(plan.budget.adjacency),
        )
