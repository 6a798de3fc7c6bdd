"""What was decided, as settings of Explore: a table is looked at as it would be published."""

from ui.owner.decide_answers import Answers
from ui.state.session import change_settings
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, nearest_stop


def explore_as_decided(answers: Answers, columns: int) -> None:
    """Let Explore open with as many directions as shares, at the ε and δ of the chosen card.

    Parameters
    ----------
    columns
        Of the data set after coding, d: k is below it.
    """
    if answers.shares:
        change_settings(k=min(len(answers.shares), columns - 1))
    budget = None if answers.chosen is None else answers.budgets.get(answers.chosen)
    if budget is not None:
        change_settings(
            epsilon=nearest_stop(budget.epsilon, EPSILON_STOPS),
            delta=nearest_stop(budget.delta, DELTA_STOPS),
        )
