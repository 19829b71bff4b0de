"""The accepted findings of a repository, stored as JSON with one finding per line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from learnings.core.errors import BadSettings
from learnings.core.findings.finding import Finding, Severity, fingerprints
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable, shortened

_LONGEST_ABOUT = 60  # characters; chosen, enough to recognise the line in a diff of the baseline


class KnownFinding(NamedTuple):
    """A recorded finding; path is POSIX from the root, about a shortened subject for readers."""

    path: str
    rule: str
    about: str
    severity: Severity
    fingerprint: str


Baseline = Mapping[str, KnownFinding]  # known findings by fingerprint


def recorded(findings: Sequence[Finding]) -> list[KnownFinding]:
    return [
        KnownFinding(
            finding.path,
            finding.rule,
            shortened(printable(" ".join(finding.subject.split())), _LONGEST_ABOUT),
            finding.severity,
            fingerprint,
        )
        for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
    ]


def is_known(finding: KnownFinding, baseline: Baseline) -> bool:
    """Return True if the baseline has a finding; a recorded notice does not cover an error."""
    known = baseline.get(finding.fingerprint)
    is_notice = finding.severity is Severity.NOTICE
    return known is not None and (is_notice or known.severity is Severity.ERROR)


def pruned(
    baseline: Baseline, today: Iterable[KnownFinding], *, is_judged: Callable[[KnownFinding], bool]
) -> Baseline:
    """Return the baseline without findings that is_judged() but the run did not find."""
    current = {finding.fingerprint: finding for finding in today}
    kept = {}
    for fingerprint, known in baseline.items():
        finding = current.get(fingerprint)
        if finding is not None:
            kept[fingerprint] = finding if is_known(finding, baseline) else known
        elif not is_judged(known):
            kept[fingerprint] = known
    return kept


BASELINE_SCHEMA = "learnings.baseline/1"

# 16 hexadecimal digits.
_FINGERPRINT = lazy_pattern(r"[0-9a-f]{16}")
# The first or the last line of a merge conflict.
_CONFLICT = lazy_pattern(r"^(?:<{7}|>{7})", re.MULTILINE)


def baseline_text(baseline: Baseline) -> str:
    import json  # noqa: PLC0415  (slow, and few repositories have a baseline)

    lines = [
        json.dumps(
            {**finding._asdict(), "severity": finding.severity.value},
            # Lone surrogates stand for bytes that are not UTF-8.
            ensure_ascii=any("\ud800" <= sign <= "\udfff" for sign in finding.path),
        )
        for finding in sorted(baseline.values(), key=lambda known: (*known[:3], known.fingerprint))
    ]
    listed = ",".join(f"\n    {line}" for line in lines)
    end = "\n  " if lines else ""
    return f'{{\n  "schema": "{BASELINE_SCHEMA}",\n  "findings": [{listed}{end}]\n}}\n'


def read_baseline(data: bytes, *, name: str) -> Baseline:
    """Parse a baseline. Raises BadSettings, naming the file."""
    import json  # noqa: PLC0415  (as above)

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _broken_baseline(f"{name}:{line}", "is not UTF-8") from None
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise BadSettings(
            f"{name}:{line}: contains a merge conflict; keep the findings of both sides, then "
            "run `learnings baseline --prune`"
        )
    try:
        document = json.loads(text)
    except RecursionError:
        raise _broken_baseline(name, "is nested too deeply") from None
    except json.JSONDecodeError as error:
        reason = f"is not valid JSON ({error.msg} at column {error.colno})"
        raise _broken_baseline(f"{name}:{error.lineno}", reason) from None
    except ValueError:
        raise _broken_baseline(name, "is not valid JSON (a number is too long)") from None
    return _baseline_in(document, name)


def _baseline_in(document: object, name: str) -> Baseline:
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(schema, str):
        raise _broken_baseline(name, "is not a baseline: it has no schema")
    if schema != BASELINE_SCHEMA:
        raise BadSettings(
            f"{name}: has the schema {schema[:40]!a}, not {BASELINE_SCHEMA}; use the version of "
            "learnings that wrote it, or delete it and record a new one"
        )
    findings = document.get("findings")
    if not isinstance(findings, list):
        raise _broken_baseline(name, "has no list of findings")
    known = [_known_finding(item, number, name) for number, item in enumerate(findings, start=1)]
    # A merge that keeps both sides can record a finding twice; an error covers more than a notice.
    known.sort(key=lambda finding: finding.severity is Severity.ERROR)
    return {finding.fingerprint: finding for finding in known}


def _known_finding(item: object, number: int, name: str) -> KnownFinding:
    fields = item if isinstance(item, dict) else {}
    texts = [fields.get(key) for key in ("path", "rule", "about", "severity", "fingerprint")]
    path, rule, about, severity, fingerprint = (t if isinstance(t, str) else "" for t in texts)
    is_complete = path and rule and severity in {level.value for level in Severity}
    if not is_complete or not isinstance(texts[2], str) or not _FINGERPRINT.fullmatch(fingerprint):
        raise _broken_baseline(name, f"finding {number} is incomplete or invalid")
    return KnownFinding(path, rule, about, Severity(severity), fingerprint)


def _broken_baseline(location: str, reason: str) -> BadSettings:
    return BadSettings(
        f"{location}: {reason}; restore the file, or delete it and run `learnings baseline`"
    )
