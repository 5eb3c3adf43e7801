from tests.client.remeasure.comparison import differences

RECORDED = {
    "windows": {"claude-opus-5": {"bare id": 1_000_000}},
    "compaction": {"claude-opus-5": {"compacts at": 967_000}},
    "delay": {"headless": {"tool calls": 12, "late": 4, "mean ms": 30, "longest ms": 54}},
}


def test_equal_measurements_have_no_differences() -> None:
    assert list(differences(RECORDED, RECORDED)) == []


def test_each_added_lost_and_changed_value_is_a_line() -> None:
    measured = {
        "windows": {"claude-opus-5": {"bare id": 200_000}, "claude-opus-6": {"bare id": 1_000_000}},
        "compaction": {"claude-opus-5": {"compacts at": None}},
        "delay": RECORDED["delay"],
    }

    assert list(differences(RECORDED, measured)) == [
        "compaction / claude-opus-5 / compacts at: 967000 -> absent",
        "windows / claude-opus-5 / bare id: 1000000 -> 200000",
        "windows / claude-opus-6: absent -> 1 values",
    ]


def test_a_delay_counts_when_it_is_longer_than_the_monitor_waits() -> None:
    slower = {"headless": {"tool calls": 12, "late": 12, "mean ms": 90, "longest ms": 149}}
    too_slow = {"headless": {"tool calls": 12, "late": 12, "mean ms": 90, "longest ms": 151}}

    assert list(differences(RECORDED["delay"], slower)) == []
    assert list(differences(RECORDED["delay"], too_slow)) == ["headless: longest 54 ms -> 151 ms"]
