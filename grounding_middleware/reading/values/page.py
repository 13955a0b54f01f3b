"""One text being read: its tokens, its words, and which tokens a value or a mask already holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from grounding_middleware.reading.values.lexicon import Lexicon, Phrases
from grounding_middleware.reading.values.scan import Scan


@dataclass(frozen=True, slots=True)
class Page:
    """`taken[i]` is 1 when token `i` belongs to a mask or to a value read earlier."""

    scan: Scan
    lexicon: Lexicon
    taken: bytearray = field(default_factory=bytearray)

    def take(self, first: int, last: int) -> None:
        """Mark tokens `first` to `last` (inclusive) as read."""
        for index in range(first, last + 1):
            self.taken[index] = 1

    def free(self, first: int, last: int) -> bool:
        """True when no token from `first` to `last` was read before."""
        return 0 <= first <= last < len(self.taken) and not any(self.taken[first : last + 1])

    def phrase_at(self, table: Phrases, index: int) -> tuple[int, str] | None:
        """Longest table phrase that starts at token `index`: its last token and its meaning."""
        scan = self.scan
        for tokens, meaning in table.get(scan.word(index), ()):
            last = index + len(tokens) - 1
            if last < len(scan) and tuple(scan.folded[index : last + 1]) == tokens and self._one_line(index, last):
                return last, meaning
        return None

    def phrase_before(self, table: Phrases, index: int) -> tuple[int, str] | None:
        """Longest table phrase that ends at token `index`: its first token and its meaning."""
        scan = self.scan
        for tokens, meaning in table.get(scan.word(index), ()):
            first = index - len(tokens) + 1
            if first >= 0 and tuple(scan.folded[first : index + 1]) == tokens and self._one_line(first, index):
                return first, meaning
        return None

    def _one_line(self, first: int, last: int) -> bool:
        text = self.scan.text
        return "\n\n" not in text[self.scan.starts[first] : self.scan.ends[last]]

    def joined(self, index: int) -> bool:
        """True when token `index` and the next stand on one line, at most one space apart."""
        return len(self.scan.gap(index)) <= 1 and self.scan.gap(index) != "\t"
