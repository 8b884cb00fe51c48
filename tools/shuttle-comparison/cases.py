"""Which of shuttle's tests are run: those that fail by some schedule, and that also make sense with std."""

# File below `tests/`, test.
CASES = [
    ("demo/bounded_buffer.rs", "test_bounded_buffer_minimal_deadlock"),
    ("demo/bounded_buffer.rs", "test_bounded_buffer_find_deadlock_configuration"),
    ("demo/async_match_deadlock.rs", "async_match_deadlock"),
    ("basic/mutex.rs", "deadlock_random"),
    ("basic/mutex.rs", "concurrent_increment_buggy"),
    ("basic/rwlock.rs", "deadlock_random"),
    ("basic/condvar.rs", "notify_one_deadlock"),
    ("basic/condvar.rs", "notify_one_order"),
    ("basic/condvar.rs", "check_producer_consumer_broken1"),
    ("basic/condvar.rs", "check_producer_consumer_broken2"),
    ("basic/mpsc.rs", "mpsc_loom_non_commutative_senders1"),
    ("basic/mpsc.rs", "mpsc_loom_non_commutative_senders2"),
    ("basic/pct.rs", "figure5_pct"),
    ("basic/pct.rs", "figure1a_pct"),
    ("basic/pct.rs", "figure1b_pct"),
    ("basic/pct.rs", "figure1b_pct_with_many_tasks"),
    ("basic/pct.rs", "figure_1c"),
    ("future/basic.rs", "async_atomic"),
]


def files():
    """The files, each with its tests."""
    found = {}
    for file, test in CASES:
        found.setdefault(file, []).append(test)
    return found


def module(file):
    """What the module of a file is called in the scratch crates."""
    return file.removesuffix(".rs").replace("/", "_")


def name(file, test):
    """What a test is called there."""
    return f"{module(file)}::{test}"
