"""Two measurements of each repository compared and summed up, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ecosystem.checkouts import Checkout
from ecosystem.measure import Measured, total_entries

KINDS = ("findings by rule", "verdicts", "proposals")


class Compared(NamedTuple):
    """A checkout as measured by the base and by the change."""

    checkout: Checkout
    base: Measured
    change: Measured


def differences(pair: Compared) -> list[str]:
    """Return a line for each value that the change alters, and always one for a crash."""
    base, change = pair.base, pair.change
    lines = [
        *_changed("entries", base.entries, change.entries),
        *_changed("findings", base.findings, change.findings),
        *_changed("verdict", base.verdicts, change.verdicts),
        *_changed("proposals", base.proposals, change.proposals),
        *_changed("refusal", base.refusals, change.refusals),
    ]
    for side, values in (("base", base), ("change", change)):
        lines += [f"CRASH of the {side}: {name}: {why}" for name, why in values.crashes.items()]
    return lines


def _changed(kind: str, base: Mapping[str, object], change: Mapping[str, object]) -> Iterator[str]:
    for key in sorted({*base, *change}):
        before, after = base.get(key, "none"), change.get(key, "none")
        if before != after:
            yield f"{kind} {key}: {before} -> {after}"


def report(pairs: Sequence[Compared], failures: Mapping[str, str]) -> str:
    """Return the whole report: each repository with its differences, then the totals.

    `failures` maps a repository to the reason it could not be fetched.
    """
    lines = [line for pair in pairs for line in _section(pair)]
    lines += [f"{name}: not fetched: {why}" for name, why in failures.items()]
    used = [pair for pair in pairs if pair.checkout.row.used_for]
    unused = [pair for pair in pairs if not pair.checkout.row.used_for]
    lines += ["", *_totals("not used for a dialect or rule", unused)]
    lines += _totals("used for a dialect or rule", used)
    return "".join(f"{line}\n" for line in lines)


def _section(pair: Compared) -> Iterator[str]:
    row, note = pair.checkout.row, pair.checkout.note
    about = ", ".join(filter(None, (row.shape, "used" if row.used_for else "", note)))
    entries = total_entries(pair.change)
    said = [f"{entries} {'entry' if entries == 1 else 'entries'}"]
    said += [_shown(name, [pair.change]) for name in KINDS]
    said.append(f"{pair.base.seconds:.1f} -> {pair.change.seconds:.1f} s")
    yield f"{pair.checkout.label} ({about}): {'; '.join(said)}"
    yield from (f"  {line}" for line in differences(pair))


def _totals(kind: str, pairs: Sequence[Compared]) -> Iterator[str]:
    different = sum(bool(differences(pair)) for pair in pairs)
    repositories = len({pair.checkout.row.name for pair in pairs})
    yield f"{kind}: checkouts {len(pairs)}, repositories {repositories}, that differ {different}"
    base, change = [pair.base for pair in pairs], [pair.change for pair in pairs]
    values = {
        "entries": [sum(map(total_entries, side)) for side in (base, change)],
        "findings": [sum(_sum(part.findings for part in side).values()) for side in (base, change)],
        "crashes": [sum(len(part.crashes) for part in side) for side in (base, change)],
        "refusals": [sum(len(part.refusals) for part in side) for side in (base, change)],
    }
    for name, (before, after) in values.items():
        yield f"  {name}: {before} -> {after}"
    for name in KINDS:
        old, new = (_shown(name, side) for side in (base, change))
        yield f"  {name}: {old}" if old == new else f"  {name}: {old} -> {new}"
    yield f"  seconds: {_seconds(base):.1f} -> {_seconds(change):.1f}"


def _shown(name: str, side: Sequence[Measured]) -> str:
    counts = {
        "verdicts": lambda: Counter(each for part in side for each in part.verdicts.values()),
        "proposals": lambda: _sum(part.proposals for part in side),
        "findings by rule": lambda: _sum(part.findings for part in side),
    }[name]()
    shown = [f"{number} {key}" for key, number in sorted(counts.items()) if number]
    return ", ".join(shown) or f"no {name.partition(' ')[0]}"


def _sum(tables: Iterator[dict[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for table in tables:
        total.update(table)
    return total


def _seconds(side: Sequence[Measured]) -> float:
    return sum(part.seconds for part in side)
