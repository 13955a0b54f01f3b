"""Trains the model on a mix, on a few cores beside other work; goes on where it was stopped.

    python -m training.train MIX OUT --base BASE/model.safetensors --until 10:25

Each worker has one thread and its own batches; every few steps their weights are averaged (local SGD), so nobody
waits long for a core. The learning rate stays at its height until the last part of the time or the steps, then falls
to zero. OUT/last.N.pt is written now and then by worker N; started again with the same OUT, the run goes on from there.
A finished run is trained further with a new OUT and --begin OLD/last.0.pt, with --epoch 1 on parts of the sets that it
has not seen. OUT/log.jsonl tells what was done; with --steps as logged at the end the run can be repeated.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.multiprocessing.spawn import spawn

from training.batches import Batch, Pairs, batches, epoch
from training.losses import loss
from training.network import Verifier, from_base

WORKERS: Final = 2
SIZE: Final = 16
TOGETHER: Final = 8  # steps between two averages
KEPT: Final = 40  # steps between two checkpoints
WATCHED: Final = 256  # held-out pairs looked at
WARM_UP: Final = 0.04
FALL: Final = 0.35


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is: its files, its length, its seed."""

    mix: Path
    out: Path
    base: Path
    until: float
    steps: int
    rate: float
    frozen: int
    seed: int
    first: int = 0
    begin: Path | None = None
    begun: float = field(default_factory=time.time)

    def progress(self, step: int, before: float) -> float:
        """How much of the run is done, 0 to 1: by steps where they are given, else by the clock.

        `before` is what was done when the run was stopped; what is left of the clock is for the rest.
        """
        if self.steps:
            return step / self.steps
        return before + (1.0 - before) * (time.time() - self.begun) / max(1.0, self.until - self.begun)


class Shared:
    """What the workers exchange: a vector of weights each, and how far the run is."""

    def __init__(self, size: int, workers: int) -> None:
        self.vectors = [_shared(torch.zeros(size)) for _ in range(workers)]
        self.progress = _shared(torch.zeros(1, dtype=torch.float64))
        self.barrier = multiprocessing.get_context("spawn").Barrier(workers)

    def average(self, rank: int, model: nn.Module) -> None:
        """Replace the trained weights of all workers by their mean."""
        own = [parameter for parameter in model.parameters() if parameter.requires_grad]
        self.vectors[rank].copy_(torch.cat([one.detach().reshape(-1) for one in own]))
        self.barrier.wait()
        mean = torch.stack(self.vectors).mean(0)
        self.barrier.wait()
        with torch.no_grad():
            for one, part in zip(own, torch.split(mean, [one.numel() for one in own]), strict=True):
                one.copy_(part.view_as(one))


def _shared(tensor: Tensor) -> Tensor:
    """The tensor in memory that all workers see."""
    shared: Tensor = tensor.share_memory_()  # type: ignore[no-untyped-call]
    return shared


def main() -> int:
    """Start the workers and wait for them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mix", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--base", type=Path, required=True, help="model.safetensors of the base weights")
    parser.add_argument("--until", default="", help="HH:MM by the clock of this machine, when the run shall end")
    parser.add_argument("--steps", type=int, default=0, help="steps of each worker, instead of --until")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--frozen", type=int, default=1, help="lowest layers that are not trained")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="checkpoint whose weights to begin with, instead of the base's")
    parser.add_argument("--epoch", type=int, default=0, help="number of the first epoch; each shows other parts")
    args = parser.parse_args()
    if not args.until and not args.steps:
        parser.error("give --until or --steps")
    args.out.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        mix=args.mix, out=args.out, base=args.base, until=_clock(args.until), steps=args.steps, rate=args.rate,
        frozen=args.frozen, seed=args.seed, first=args.epoch, begin=args.begin,
    )  # fmt: skip
    model = from_base(plan.base, plan.frozen)
    shared = Shared(sum(one.numel() for one in model.parameters() if one.requires_grad), WORKERS)
    spawn(work, (plan, shared), nprocs=WORKERS)  # type: ignore[no-untyped-call]
    return 0


def work(rank: int, plan: Plan, shared: Shared) -> None:
    """One worker's run."""
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed + rank)
    model = from_base(plan.base, plan.frozen)
    optimiser = torch.optim.AdamW(_groups(model), lr=plan.rate, betas=(0.9, 0.98), fused=True)
    step, before = _resumed(plan, rank, model, optimiser)
    pairs = Pairs.load(plan.mix / "train.npz")
    feed = _endless(pairs, plan, rank, step)
    model.train()
    started, total, since = step, 0.0, time.time()
    for batch in feed:
        if step % TOGETHER == 0:
            progress = _agreed(rank, plan, shared, model, (step, before))
            if progress >= 1.0:
                break
            if step % KEPT == 0 and step > started:
                _keep(plan, rank, model, optimiser, (step, progress))
                _log(plan, rank, step=step, progress=progress, loss=total / KEPT, seconds=time.time() - since)
                total, since = 0.0, time.time()
                if rank == 0 and step % (4 * KEPT) == 0:
                    _log(plan, rank, step=step, **watch(model, plan.mix, WATCHED))
            for group in optimiser.param_groups:
                group["lr"] = group["scale"] * plan.rate * shape(progress)
        total += _step(model, optimiser, batch)
        step += 1
    _keep(plan, rank, model, optimiser, (step, 1.0))
    if rank == 0:
        _log(plan, rank, step=step, ended=True, **watch(model, plan.mix, 3 * WATCHED))


def shape(progress: float) -> float:
    """Part of the highest learning rate: up, level, down to zero."""
    return max(0.02, min(1.0, progress / WARM_UP, (1.0 - progress) / FALL))


def watch(model: Verifier, mix: Path, most: int) -> dict[str, float]:
    """On held-out pairs: loss, and the share that is right, of supported or not and of three classes."""
    pairs = Pairs.load(mix / "watched.npz")
    order = np.argsort(pairs.lengths[:most], kind="stable")
    model.eval()
    losses, two, three = [], [], []
    with torch.no_grad():
        for at in range(0, len(order), 32):
            batch = pairs.batch(order[at : at + 32])
            logits = model(batch.ids, batch.mask, batch.types)
            losses.append(loss(logits, batch.labels, torch.ones_like(batch.weights)).item() * len(batch.labels))
            best = logits.argmax(1)
            two.append(((logits.softmax(1)[:, 0] > 0.5) == (batch.labels == 0)).float())
            three.append((best == batch.labels)[batch.labels < 3].float())
    model.train()
    return {
        "watched_loss": sum(losses) / len(order),
        "watched_two": float(torch.cat(two).mean()),
        "watched_three": float(torch.cat(three).mean()),
    }


def _step(model: Verifier, optimiser: torch.optim.Optimizer, batch: Batch) -> float:
    found = loss(model(batch.ids, batch.mask, batch.types), batch.labels, batch.weights)
    optimiser.zero_grad()
    found.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_([one for one in model.parameters() if one.requires_grad], 1.0)
    optimiser.step()
    return found.item()


def _agreed(rank: int, plan: Plan, shared: Shared, model: Verifier, done: tuple[int, float]) -> float:
    """Average the weights; all workers go by the progress that the first one saw."""
    if rank == 0:
        shared.progress[0] = plan.progress(*done)
    shared.average(rank, model)
    return float(shared.progress[0])


def _groups(model: Verifier) -> list[dict[str, Any]]:
    """New parts learn faster than the layers that were trained before; no decay for vectors."""
    found: list[dict[str, Any]] = []
    for is_new, scale in ((True, 5.0), (False, 1.0)):
        for is_matrix, decay in ((True, 0.01), (False, 0.0)):
            chosen = [
                one
                for name, one in model.named_parameters()
                if one.requires_grad and name.startswith("blocks.") is not is_new and (one.ndim > 1) is is_matrix
            ]
            found.append({"params": chosen, "weight_decay": decay, "scale": scale})
    return found


def _endless(pairs: Pairs, plan: Plan, rank: int, done: int) -> Iterator[Batch]:
    """This worker's batches, epoch after epoch, without the first `done`."""
    number = plan.first
    while True:
        order = epoch(pairs, number, plan.seed)[rank::WORKERS]
        for chosen in batches(pairs, order, SIZE, plan.seed + number):
            if done:
                done -= 1
                continue
            yield pairs.batch(chosen)
        number += 1


def _keep(plan: Plan, rank: int, model: Verifier, optimiser: torch.optim.Optimizer, done: tuple[int, float]) -> None:
    path = plan.out / f"last.{rank}.pt"
    held = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "frozen": plan.frozen}
    held |= {"step": done[0], "progress": done[1]}
    torch.save(held, path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)  # noqa: PTH105  # whole or not at all


def _resumed(plan: Plan, rank: int, model: Verifier, optimiser: torch.optim.Optimizer) -> tuple[int, float]:
    """Steps and part of the run that are done; weights and optimiser as they were then."""
    path = plan.out / f"last.{rank}.pt"
    if not path.is_file():
        if plan.begin:
            model.load_state_dict(torch.load(plan.begin, weights_only=True)["model"])
        return 0, 0.0
    held: dict[str, Any] = torch.load(path, weights_only=True)
    model.load_state_dict(held["model"])
    optimiser.load_state_dict(held["optimiser"])
    return held["step"], held["progress"]


def _log(plan: Plan, rank: int, **told: float) -> None:
    line = {"rank": rank, "at": round(time.time() - plan.begun), **told}
    with (plan.out / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _clock(text: str) -> float:
    """The next time the clock shows `text`."""
    if not text:
        return 0.0
    hour, minute = map(int, text.split(":"))
    now = dt.datetime.now().astimezone()
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (then if then > now else then + dt.timedelta(days=1)).timestamp()


if __name__ == "__main__":
    sys.exit(main())
