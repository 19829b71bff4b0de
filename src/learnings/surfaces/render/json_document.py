"""The one function that writes a JSON document."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

# Characters that JSON allows and that are escaped all the same: DEL and the C1 controls, which some
# terminals obey, the two line ends of Unicode, and lone surrogates (bytes of a file that are not
# UTF-8), which cannot be encoded.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def json_document(document: Mapping[str, object]) -> str:
    """Return a document as indented JSON with a newline at its end; it can be encoded as UTF-8.

    Characters beyond ASCII stay as they are, but for those of _UNSAFE.
    """
    text = json.dumps(document, ensure_ascii=False, indent=2)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"
