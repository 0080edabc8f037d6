"""The store as an operator sees it: every call is timed and counted, whatever its engine."""

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

from service.api.notes import note
from service.rules.game import CHANCE
from service.sight.metrics import Metrics
from service.sight.tracing import span
from service.store.interface import Kept, Store, StoreAway, Written
from service.table.game import Event, Table


class _Measured:
    """Stands before a store. Whatever is called is passed on; the methods below look at what came of it."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics

    def __getattr__(self, name: str) -> Callable[..., Any]:
        measured = self._measure(name, getattr(self._store, name))
        setattr(self, name, measured)
        return measured

    def _measure(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        seconds = self._metrics.store_seconds.labels(name)
        look = getattr(type(self), f"_after_{name}", None)

        def measured(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            try:
                with span(f"store {name}"):
                    result = method(*args, **kwargs)
            except StoreAway as error:
                self._metrics.store_errors.labels(name, type(error).__name__).inc()
                raise
            finally:
                seconds.observe(time.perf_counter() - began)
            if look:
                look(self, result, *args)
            return result

        return measured

    def _after_load(self, kept: Kept | None, *_: Any) -> None:
        _note_game(kept)

    def _after_history(self, found: tuple[Kept, Any] | None, *_: Any) -> None:
        _note_game(found[0] if found else None)

    def _after_create(self, done: bool, table: Table, *_: Any) -> None:  # noqa: FBT001
        note(game=table.record.id, variant=table.record.variant)
        if done:
            self._metrics.games_created.labels(table.record.variant).inc()

    def _after_append(self, written: Written, before: Table, after: Table, events: Sequence[Event], *_: Any) -> None:
        variant = before.record.variant
        if written.done:
            note(version=after.version)
            self._metrics.moves_applied.labels(variant).inc(sum(event.actor != CHANCE for event in events))
        elif written.receipt is None:
            self._metrics.write_conflicts.labels(variant).inc()


def _note_game(kept: Kept | None) -> None:
    if kept:
        record = kept.table.record
        note(game=record.id, variant=record.variant, version=kept.table.version)


def measured(store: Store, metrics: Metrics) -> Store:
    """The store, with every call timed and counted."""
    return cast("Store", _Measured(store, metrics))
