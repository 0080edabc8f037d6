"""gunicorn's threaded worker, made to answer everything that reached it before it leaves."""

import errno
import time
from typing import Any

from service.live.worker import LiveWorker


class DrainingWorker(LiveWorker):
    """Told to stop, it takes what waits at the door, closes the door, and answers what is inside."""

    def set_accept_enabled(self, enabled: bool) -> None:  # noqa: FBT001
        """Besides what it does while the worker lives: at its end nobody may be left waiting to be let in."""
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            for listener in self.sockets:
                while self._let_in(listener):
                    pass
                listener.close()

    def _let_in(self, listener: Any) -> bool:
        """Accept one connection; whether there was one."""
        before = self.nr_conns
        try:
            self.accept(listener)
        except OSError as error:
            if error.errno != errno.EBADF:
                raise
        return bool(self.nr_conns > before)

    def murder_keepalived(self, force: bool = False) -> None:  # noqa: FBT001, FBT002
        """Close idle connections; at the end, those on which a request has arrived meanwhile are answered first."""
        if force:
            deadline = time.monotonic() + self.cfg.graceful_timeout
            self.wait_for_and_dispatch_events(timeout=0)
            while self.nr_conns > len(self.keepalived_conns) and time.monotonic() < deadline:
                self.notify()
                self.wait_for_and_dispatch_events(timeout=1.0)
        super().murder_keepalived(force)
