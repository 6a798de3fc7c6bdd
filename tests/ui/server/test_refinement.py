"""Slices of time: at least one step, and no more than there is time for."""

from time import perf_counter

from ui.server.refinement import take_steps


def counted(done, count=10):
    for i in range(count):
        done.append(i)
        yield


def test_all_steps_where_there_is_time():
    done = []
    take_steps(counted(done), 60.0)
    assert done == list(range(10))


def test_one_step_at_least():
    for seconds, waiting in ((0.0, False), (60.0, True)):
        done = []
        take_steps(counted(done), seconds, lambda waiting=waiting: waiting)
        assert done == [0]


def test_the_slice_may_depend_on_what_is_left():
    done = []
    take_steps(counted(done), lambda: 60.0 if len(done) < 4 else 0.0)
    assert done == [0, 1, 2, 3]


def test_nothing_to_do():
    start = perf_counter()
    take_steps(iter(()), 60.0, lambda: True)
    assert perf_counter() - start < 10
