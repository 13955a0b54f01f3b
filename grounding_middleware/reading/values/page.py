"""One text being read: its tokens, its words, and which tokens a value or a mask already holds."""

from __future__ import annotations

from dataclasses import dataclass

from grounding_middleware.reading.values.lexicon import Lexicon, Phrases, lexicon
from grounding_middleware.reading.values.scan import Scan, scan


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Page:
    """`taken[i]` is 1 when token `i` belongs to a mask or to a value read earlier.

    `digits` are the tokens of digits, `vocabulary` every folded token: what is not in it need not be looked for.
    """

    scan: Scan
    lexicon: Lexicon
    taken: bytearray
    digits: tuple[int, ...]
    vocabulary: frozenset[str]

    @classmethod
    def of(cls, text: str, language: str) -> Page:
        """`text` before anything was read."""
        tokens = scan(text)
        digits = tuple(index for index, shape in enumerate(tokens.shapes) if shape == "d")
        return cls(tokens, lexicon(language), bytearray(len(tokens.shapes)), digits, frozenset(tokens.folded))

    @property
    def has_cjk(self) -> bool:
        """True when there are CJK letters anywhere."""
        return "c" in self.scan.shapes

    def take(self, first: int, last: int) -> None:
        """Mark tokens `first` to `last` (inclusive) as read."""
        self.taken[first : last + 1] = b"\x01" * (last + 1 - first)

    def free(self, first: int, last: int) -> bool:
        """True when no token from `first` to `last` was read before."""
        return not any(self.taken[first : last + 1])

    def phrase_at(self, table: Phrases, index: int) -> tuple[int, str] | None:
        """Longest table phrase that starts at token `index`: its last token and its meaning."""
        for tokens, meaning in table.get(self.scan.folded[index], ()):
            last = index + len(tokens) - 1
            if last == index or (self.scan.has(index, tokens) and self._together(index, last)):
                return last, meaning
        return None

    def phrase_before(self, table: Phrases, index: int) -> tuple[int, str] | None:
        """Longest table phrase that ends at token `index`: its first token and its meaning."""
        for tokens, meaning in table.get(self.scan.folded[index], ()):
            first = index - len(tokens) + 1
            if first == index or (first >= 0 and self.scan.has(first, tokens) and self._together(first, index)):
                return first, meaning
        return None

    def _together(self, first: int, last: int) -> bool:
        """True when no blank line parts the tokens."""
        return "\n\n" not in self.scan.between(first, last)

    def joined(self, index: int) -> bool:
        """True when nothing but one space, or the line break of a wrapped text, parts token `index` from the next."""
        gap = self.scan.gap(index)
        if "\n" not in gap:
            return len(gap) <= 1 and gap != "\t"
        return gap.count("\n") == 1 and not gap.strip() and self._continues(index + 1)

    def _continues(self, index: int) -> bool:
        """True when the line that starts at token `index` goes on with a sentence; "key: value" lines begin anew."""
        scan = self.scan
        if scan.folded[index + 1] in (":", "="):
            return False
        return scan.raw(index)[:1].islower() or (scan.shapes[index] == "d" and not self.taken[index])

    def noun_at(self, index: int) -> bool:
        """True when a content word stands at token `index`, one space behind the token before."""
        near = self.scan.shapes[index] == "w" and self.joined(index - 1)
        return near and self.scan.folded[index] not in self.lexicon.name["stop"]
