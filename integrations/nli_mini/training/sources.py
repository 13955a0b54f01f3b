"""The labelled pairs the model may learn from: which sets, how many rows of each, how far each is trusted.

Rows are read from a folder given by the caller; nothing of it is copied into this project. Licences: MODEL_CARD.md.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

SUPPORTED: Final = 0
NEUTRAL: Final = 1
CONTRADICTED: Final = 2
UNSUPPORTED: Final = 3
"""Classes 0 to 2 are the outputs of the model, in order; 3 is "not supported", of an unknown kind."""

LABELS: Final = {
    "SUPPORTED": SUPPORTED,
    "INSUFFICIENT_EVIDENCE": NEUTRAL,
    "CONTRADICTED": CONTRADICTED,
    "UNSUPPORTED": UNSUPPORTED,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One pair: what is said, what it is held against, what people said about it."""

    source: str
    claim: str
    context: str
    label: int
    language: str
    weight: float = 1.0


class Share(NamedTuple):
    """Of one set: at most so many supported and so many other rows, each `repeat` times, weighing `weight`."""

    supported: int
    others: int
    repeat: int = 1
    weight: float = 1.0


SHARES: Final[dict[str, Share]] = {
    # answers of language models, summaries, replies: nearest to the job
    "ragtruth_sentences": Share(5000, 1000, weight=1.0),
    "attributionbench_dev": Share(400, 400, repeat=2, weight=0.8),
    "expertqa_val": Share(80, 80, repeat=2, weight=0.5),
    "wice_chunks": Share(300, 650, repeat=2, weight=0.8),
    "wice_articles": Share(70, 200, weight=0.6),
    "begin_dev": Share(70, 120, repeat=3),
    "q2_wow": Share(300, 300, repeat=2),
    "citation_integrity_train": Share(1200, 900, weight=0.6),
    "summedits_other": Share(1540, 2200),
    # fact verification
    "fever_dev": Share(5200, 6300),
    "scifact": Share(510, 270, repeat=2),
    "fm2_dev": Share(1200, 2300),
    "passage_edits": Share(2300, 7400),
    "entailment_bank": Share(3000, 1500, weight=0.7),
    "infotabs": Share(1500, 2500, weight=0.8),
    # inference and contrast sets
    "snli_dev": Share(3400, 6600),
    "cad_nli": Share(3000, 6100),
    "breaking_nli": Share(980, 1500),
    "conjnli_adversarial": Share(2000, 2500, weight=0.7),
    "scone_train": Share(2000, 2000),
    "help_conj": Share(1500, 1500),
    "wikisplit": Share(2500, 2500, weight=0.8),
    "megaveridicality": Share(664, 1400),
    "overlap_templates": Share(900, 1500),
    # other languages
    "indonli_train": Share(4300, 8300),
    "inferes_train": Share(1400, 2600),
    "pawsx_de_dev": Share(831, 1122),
    "farstail": Share(400, 700),
    "klue_nli_dev": Share(500, 900),
    "jnli_valid": Share(338, 700),
    "jsts_extremes": Share(200, 100),
    "ans_stance": Share(400, 500),
}
"""Left out: tables (more columns than the model reads) and whole answers (sentences of them are there)."""

HELD_OUT: Final = 40  # one group of rows in so many is kept apart for watching the training


def read(folder: Path, name: str) -> list[Row]:
    """All rows of one set, in the order of its file."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    return [Row(name, row["claim"].strip(), row["context"].strip(), LABELS[row["label"]], row["lang"]) for row in found]


def chosen(folder: Path, name: str, chance: random.Random) -> Iterator[Row]:
    """The share of one set that is trained on, its weight on each row; rows held out are among them."""
    share = SHARES[name]
    rows = read(folder, name)
    chance.shuffle(rows)
    good = [row for row in rows if row.label == SUPPORTED][: share.supported]
    bad = [row for row in rows if row.label != SUPPORTED][: share.others]
    for row in good + bad:
        one = Row(row.source, row.claim, row.context, row.label, row.language, share.weight)
        yield from [one] * (1 if is_held_out(row) else share.repeat)


def is_held_out(row: Row) -> bool:
    """Whether the row is only watched, never trained on; the same for all rows whose source begins the same."""
    digest = hashlib.sha256(row.context[:200].encode()).digest()
    return int.from_bytes(digest[:4], "big") % HELD_OUT == 0


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of each file that is read, by name."""
    return {name: hashlib.sha256((folder / f"{name}.jsonl.gz").read_bytes()).hexdigest() for name in sorted(SHARES)}
