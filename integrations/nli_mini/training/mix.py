"""Makes the training mix: chosen rows, made ones, each with the part of its source the model reads, as token ids.

    python -m training.mix DATA OUT --tokenizer BASE/tokenizer.json

Deterministic for a seed and the inputs whose hashes it writes to OUT/inputs.json.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from tokenizers import Tokenizer

from training import changes, quantifiers, sources
from training.premises import Count, Source, cut, surrounded
from training.sources import SUPPORTED, Row

MAX_TOKENS: Final = 128
MAX_CLAIM: Final = 56
ROOMS: Final = (48, 64, 64, 64, 96)
"""Tokens of a premise, drawn for each pair: most users have room for a few sentences."""

QUANTIFIER_ROWS: Final = 4000
JOINED: Final = 0.08
ELSEWHERE: Final = 0.5
SURROUNDED: Final = 0.2
_CHANGED: Final = {
    "fever_dev": 0.5,
    "fm2_dev": 0.5,
    "passage_edits": 0.8,
    "ragtruth_sentences": 0.35,
    "entailment_bank": 0.2,
    "scifact": 0.5,
    "wikisplit": 0.3,
    "summedits_other": 0.3,
    "attributionbench_dev": 0.5,
    "infotabs": 0.2,
}
"""Of the supported rows of a set, the part of which changed ones are made."""

_LONG: Final = ("ragtruth_sentences", "wice_chunks", "summedits_other", "citation_integrity_train", "fm2_dev")


class Maker:
    """Turns rows into pairs of premise and claim that fit the model."""

    def __init__(self, count: Count, seed: int) -> None:
        self.count = count
        self.chance = random.Random(seed)
        self.cut = lru_cache(maxsize=4096)(lambda text, language: cut(text, language, count))

    def pairs(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Each row and what is made of it, contexts cut to what is read."""
        for at, row in enumerate(rows):
            if self.count(row.claim) > MAX_CLAIM:
                continue
            whole = self.cut(row.context, row.language)
            near = self._near(row, whole)
            yield self._spread(near, rows)
            yield from self._made(row, near, whole, rows[at - 1])

    def _near(self, row: Row, whole: Source) -> Row:
        room = self.chance.choice(ROOMS)
        if whole.size <= room or len(whole.pieces) < 2:
            return replace(row, context=" ".join(row.context.split()) if row.language != "ja" else row.context)
        return replace(row, context=whole.near(row.claim, room, row.language))

    def _made(self, row: Row, near: Row, whole: Source, other: Row) -> Iterator[Row]:
        if sources.is_held_out(row) or row.label != SUPPORTED:
            return
        if self.chance.random() < _CHANGED.get(row.source, 0.0):
            yield from changes.changed(near, self.chance)
        if row.source in _LONG and self.chance.random() < ELSEWHERE:
            part = whole.far(row.claim, self.chance.choice(ROOMS), row.language)
            if part:
                yield changes.elsewhere(row, part)
        fits = self.count(row.claim) + self.count(other.claim) <= MAX_CLAIM
        if row.source in _CHANGED and other.source == row.source and fits and self.chance.random() < JOINED:
            yield changes.joined(near, other)

    def _spread(self, row: Row, rows: Sequence[Row]) -> Row:
        """Now and then, short premises among sentences of other rows of the same set."""
        short = self.count(row.context) < 40 and row.language == "en"
        if not short or self.chance.random() >= SURROUNDED:
            return row
        others = [self.cut(self.chance.choice(rows).context, "en").sentence(self.chance) for _ in range(2)]
        short_ones = [one for one in others if self.count(one) < 40]
        return replace(row, context=surrounded(row.context, short_ones, self.chance))


def main() -> int:
    """Write OUT/train.npz, OUT/watched.npz and OUT/inputs.json; say what went in."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, NAME.jsonl.gz")
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.json of the base weights")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    made = list(_rows(args.data, Maker(_counter(tokenizer), args.seed), args.seed))
    random.Random(args.seed).shuffle(made)
    args.out.mkdir(parents=True, exist_ok=True)
    for name, held_out in (("train", False), ("watched", True)):
        rows = [row for row, watched in made if watched is held_out]
        _write(args.out / f"{name}.npz", rows, tokenizer)
        print(name, _told(rows))
    inputs = {"seed": args.seed, "sha256": sources.hashes(args.data)}
    (args.out / "inputs.json").write_text(json.dumps(inputs, indent=2) + "\n", "utf-8")
    return 0


def _rows(data: Path, maker: Maker, seed: int) -> Iterator[tuple[Row, bool]]:
    for name in sources.SHARES:
        rows = list(sources.chosen(data, name, random.Random(f"{seed}:{name}")))
        kept = [row for row in rows if not sources.is_held_out(row)]
        watched = [row for row in rows if sources.is_held_out(row)]
        yield from ((row, False) for row in maker.pairs(kept))
        yield from ((row, True) for row in maker.pairs(watched))
        print(name, len(rows), file=sys.stderr, flush=True)
    for row in quantifiers.generated(QUANTIFIER_ROWS, random.Random(seed)):
        yield row, False


def _counter(tokenizer: Tokenizer) -> Count:
    @lru_cache(maxsize=1 << 16)
    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count


def _write(path: Path, rows: Sequence[Row], tokenizer: Tokenizer) -> None:
    """Token ids of all pairs behind one another, with lengths, labels, weights and sources."""
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_first")
    encoded = tokenizer.encode_batch([(row.context, row.claim) for row in rows])
    names = sorted({row.source for row in rows})
    np.savez(
        path,
        ids=np.concatenate([np.array(one.ids, dtype=np.uint16) for one in encoded]),
        lengths=np.array([len(one.ids) for one in encoded], dtype=np.int32),
        firsts=np.array([one.type_ids.count(0) for one in encoded], dtype=np.int32),
        labels=np.array([row.label for row in rows], dtype=np.int8),
        weights=np.array([row.weight for row in rows], dtype=np.float32),
        sources=np.array([names.index(row.source) for row in rows], dtype=np.int32),
        names=np.array(names),
    )
    tokenizer.no_truncation()


def _told(rows: Sequence[Row]) -> str:
    by_source: dict[str, Counter[int]] = defaultdict(Counter)
    for row in rows:
        by_source[row.source][row.label] += 1
    total = Counter(row.label for row in rows)
    lines = [f"{len(rows)} pairs, by label {dict(sorted(total.items()))}"]
    lines += [f"  {name:28} {[counts[label] for label in range(4)]}" for name, counts in sorted(by_source.items())]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
