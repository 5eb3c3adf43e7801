from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from shared.config import Config
from shared.levels import Level
from statusline.compactions import CompactionCount
from statusline.seen import SessionSeen
from statusline.segments import SEGMENTS, badge
from statusline.width import columns
from tests.statusline.scene import captured, status_of, text


@given(some.sampled_from(Level), some.integers(0, 1100), some.integers(0, 20))
def test_forms_grow_in_width_and_fall_in_importance(level: Level, uses: int, compactions: int) -> None:
    status = status_of(
        captured("everything"),
        Path("/nowhere"),
        tool_uses_left=uses,
        seen=SessionSeen(compactions=CompactionCount(compactions, 1, is_whole=True)),
        level=level,
        problems=("config",),
    )
    for render in [*SEGMENTS.values(), badge.render]:
        segment = render(status, Config()) or ()
        widths = [columns(text(segment, form) or "") for form in range(len(segment))]
        ranks = [form.importance for form in segment]

        assert widths == sorted(widths)
        assert ranks == sorted(ranks, reverse=True)
