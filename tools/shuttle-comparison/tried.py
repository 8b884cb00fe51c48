"""What comes of exploring a test with one seed."""

import statistics
from dataclasses import dataclass


@dataclass
class Tried:
    """How many schedules and seconds it took to the first failure, if there was one."""

    schedules: int | None = None
    seconds: float | None = None


def told(tried):
    """Median schedules and seconds, and with how many of the seeds something was found."""
    found = [it for it in tried if it.schedules is not None]
    never = float("inf")
    schedules = statistics.median_low([never if it.schedules is None else it.schedules for it in tried])
    seconds = statistics.median_low([never if it.seconds is None else it.seconds for it in tried])
    if schedules == never:
        return f"{'-':>6}{'-':>9}{f'{len(found)}/{len(tried)}':>9}"
    return f"{schedules:>6}{seconds:>9.4f}{f'{len(found)}/{len(tried)}':>9}"
