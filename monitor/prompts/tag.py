"""The tag of one prompt, and the checkpoint that goes with a tier."""

import msgspec

from monitor.measuring.measurement import readings
from monitor.prompts.prompt import Prompt
from monitor.prompts.tag_text import prompt_tag, unreadable_tag
from monitor.tier import Tier, fill_of, tier_of
from shared.boundary import attempt
from shared.reading import Reading


class Tagged(msgspec.Struct, frozen=True):
    text: str
    """Empty below the tier from which on there is a tag."""
    saved: Tier
    """The highest tier at which a checkpoint has been written since the window was last roomy."""


def tagged(prompt: Prompt, *, is_compacted: bool) -> Tagged:
    """The tag: tokens by the transcript; what to do by the fuller of it and a fresh bridge."""
    config = prompt.session.config
    least = Tier[config.prompt_tag.min_tier]
    saved = prompt.memory.saved if prompt.memory and not is_compacted else Tier.NOMINAL
    reading, bridge = readings(prompt.conversation, prompt.session, prompt.tail)
    if reading is None:
        return Tagged(unreadable_tag() if least is Tier.NOMINAL else "", saved)
    tiers = [tier_of(fill_of(one), config.prompt_tag.tiers) for one in (reading, bridge) if one is not None]
    tier = max(tiers)
    if tier < Tier.CRITICAL:
        saved = Tier.NOMINAL
    elif tier > saved and attempt("monitor", prompt.session.root, _save, prompt, reading):
        saved = tier
    text = prompt_tag(fill_of(reading), tier, reading, config.messages, is_saved=saved >= Tier.CRITICAL)
    return Tagged(text if tier >= least else "", saved)


def _save(prompt: Prompt, reading: Reading) -> bool:
    if prompt.project is None or not prompt.session.config.hooks.checkpoint:
        return False
    from monitor.checkpoints.save import save  # noqa: PLC0415  10 ms that few prompts pay

    save(prompt.conversation, prompt.session, prompt.project, "prompt", reading)
    return True
