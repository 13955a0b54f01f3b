"""A command of the command line whose code is loaded when it is called: listing commands stays cheap."""

from __future__ import annotations

from importlib import import_module
from typing import Any, get_type_hints

import typer

__all__ = ["Deferred"]


class Deferred(typer.core.TyperCommand):
    """Stands for a command, or a group of commands, until its arguments are parsed.

    `home` is "module:name" within this package: a function that typer reads, or a `Typer`. `settings` go to
    `Typer.command`.
    """

    def __init__(self, name: str, home: str, help: str, **settings: Any) -> None:  # noqa: A002  # as click names it
        super().__init__(name, help=help, rich_markup_mode=None)
        self._home, self._settings = home, settings

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the command itself, which the group then runs; so does the completion of a shell."""
        return self.loaded().make_context(info_name, args, parent, **extra)

    def loaded(self) -> Any:
        """The command itself, as typer makes it."""
        module, _, name = self._home.partition(":")
        found = getattr(import_module(f"grounding_middleware.{module}"), name)
        if isinstance(found, typer.Typer):
            group = typer.main.get_group(found)
            for command in group.commands.values():
                _tell_arguments(command)
            return group
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(self.name, **self._settings)(found)
        command = typer.main.get_command(alone)
        _tell_arguments(command)
        return command


def _tell_arguments(command: Any) -> None:
    """Give the arguments of a command their help again, which click 8.5 takes away from typer below 0.20."""
    hints = get_type_hints(command.callback, include_extras=True)
    for one in command.params:
        if isinstance(one, typer.core.TyperArgument) and one.help is None:
            metadata = getattr(hints[str(one.name)], "__metadata__", ())
            one.help = next((told.help for told in metadata if isinstance(told, typer.models.ArgumentInfo)), None)
            command.format_arguments = _nothing  # this click would list what has help once more than typer does


def _nothing(*_: object) -> None:
    """Writes nothing."""
