from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from shared.gauge.levels import Level
from statusline.measuring.session_samples import CompactionCount, SessionSamples
from statusline.segments import SEGMENTS
from statusline.segments.badge import badge
from statusline.terminal.width import columns
from tests.statusline.scene import captured, status_of, text


@given(some.sampled_from(Level), some.integers(0, 1100), some.integers(0, 20))
def test_forms_grow_in_width_and_fall_in_importance(level: Level, uses: int, compactions: int) -> None:
    status = status_of(
        captured("everything"),
        Path("/nowhere"),
        tool_uses_left=uses,
        samples=SessionSamples(compactions=CompactionCount(compactions, 1, is_whole=True)),
        level=level,
        problems=("config",),
    )
    for render in [*SEGMENTS.values(), badge]:
        segment = render(status) or ()
        widths = [columns(text(segment, form) or "") for form in range(len(segment))]
        importances = [form.importance for form in segment]

        assert widths == sorted(widths)
        assert importances == sorted(importances, reverse=True)
