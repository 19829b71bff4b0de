"""The file that a baseline is kept in: JSON with a finding on each line."""

from __future__ import annotations

import json
import re

from learnings.core.errors import BadSettings
from learnings.core.findings.baseline import Baseline, Known
from learnings.core.findings.finding import Severity
from learnings.core.patterns import lazy_pattern

SCHEMA = "learnings.baseline/1"

# 16 hexadecimal digits.
_FINGERPRINT = lazy_pattern(r"[0-9a-f]{16}")
# The first or the last line of a merge conflict.
_CONFLICT = lazy_pattern(r"^(?:<{7}|>{7})", re.MULTILINE)


def written(baseline: Baseline) -> str:
    """Return the text of the file: sorted, so that a change of the baseline is a small diff."""
    lines = [
        json.dumps(
            {**finding._asdict(), "severity": finding.severity.value},
            ensure_ascii=not _is_utf8(finding.path),
        )
        for finding in sorted(baseline.values(), key=lambda known: (*known[:3], known.fingerprint))
    ]
    listed = ",".join(f"\n    {line}" for line in lines)
    end = "\n  " if lines else ""
    return f'{{\n  "schema": "{SCHEMA}",\n  "findings": [{listed}{end}]\n}}\n'


def read(data: bytes, *, name: str) -> Baseline:
    """Return what a baseline file records. Raises BadSettings, which calls the file by its name."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _broken(f"{name}:{line}", "is not UTF-8") from None
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise BadSettings(
            f"{name}:{line}: holds a merge conflict; keep the findings of both sides, "
            "then run `learnings baseline --prune`"
        )
    try:
        document = json.loads(text)
    except RecursionError:
        raise _broken(name, "is nested too deeply") from None
    except json.JSONDecodeError as error:
        reason = f"is not valid JSON ({error.msg} at column {error.colno})"
        raise _broken(f"{name}:{error.lineno}", reason) from None
    except ValueError:
        raise _broken(name, "is not valid JSON (a number is too long)") from None
    return _understood(document, name)


def _understood(document: object, name: str) -> Baseline:
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(schema, str):
        raise _broken(name, "is not a baseline: it names no schema")
    if schema != SCHEMA:
        raise BadSettings(
            f"{name}: has the schema {schema[:40]!a}, not {SCHEMA}; "
            "use the version of learnings that wrote it, or delete it and record it anew"
        )
    findings = document.get("findings")
    if not isinstance(findings, list):
        raise _broken(name, "has no list of findings")
    known = [_known(item, number, name) for number, item in enumerate(findings, start=1)]
    # A merge that keeps both sides leaves a finding twice; an error covers more than a notice.
    known.sort(key=lambda finding: finding.severity is Severity.ERROR)
    return {finding.fingerprint: finding for finding in known}


def _known(item: object, number: int, name: str) -> Known:
    fields = item if isinstance(item, dict) else {}
    texts = [fields.get(key) for key in ("path", "rule", "about", "severity", "fingerprint")]
    path, rule, about, severity, fingerprint = (t if isinstance(t, str) else "" for t in texts)
    is_complete = path and rule and severity in {level.value for level in Severity}
    if not is_complete or not isinstance(texts[2], str) or not _FINGERPRINT.fullmatch(fingerprint):
        raise _broken(name, f"has a finding that is incomplete or wrong, number {number}")
    return Known(path, rule, about, Severity(severity), fingerprint)


def _broken(location: str, reason: str) -> BadSettings:
    return BadSettings(
        f"{location}: {reason}; restore it, or delete it and run `learnings baseline`"
    )


def _is_utf8(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
