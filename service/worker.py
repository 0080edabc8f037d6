"""gunicorn's threaded worker, made to answer everything that reached it: before it leaves, and what is no request."""

import errno
from collections.abc import Mapping
from typing import Any, Final

from gunicorn.http import errors
from gunicorn.util import write_nonblock
from werkzeug.http import HTTP_STATUS_CODES

from service.api.notes import begin
from service.api.problems import CONTENT_TYPE, of_status
from service.api.render import encode
from service.live.worker import LiveWorker
from service.sight.requests import new_id

UNREADABLE: Final[Mapping[type[Exception], tuple[int, str]]] = {
    errors.LimitRequestLine: (414, "the request line is too long"),
    errors.LimitRequestHeaders: (431, "the headers are too many or too long"),
    errors.ExpectationFailed: (417, "only 100-continue can be expected"),
    errors.UnsupportedTransferCoding: (501, "the transfer coding is not known here"),
    errors.ParseException: (400, "this is no HTTP request"),
}
"""What gunicorn makes of what it cannot read; the first that fits."""


class DrainingWorker(LiveWorker):
    """Told to stop, it takes what waits at the door, closes the door, and answers what is inside."""

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Leave as on any other request to stop.

        gunicorn would shut its threads down here and now, in the middle of whatever the signal interrupts, and wait for
        ever for a lock that this very thread holds.
        """
        self.handle_exit(sig, frame)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answer what cannot be read, or not be answered, as every error is answered; then hang up."""
        del req, addr
        status, detail = next(
            (answer for kind, answer in UNREADABLE.items() if isinstance(exc, kind)), (500, "something went wrong here")
        )
        request_id = begin(new_id()).request_id
        # Of what was sent nothing is logged: there may be a token in it.
        facts = {"request_id": request_id, "status": status}
        self.log.warning("no answer but an error: %s", type(exc).__name__, extra={"facts": facts})
        body = encode(of_status(status, detail).document())
        head = (
            f"HTTP/1.1 {status} {HTTP_STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: {CONTENT_TYPE}\r\n"
            f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\nX-Request-Id: {request_id}\r\n\r\n"
        )
        try:
            write_nonblock(client, head.encode() + body)
        except OSError:
            self.log.debug("the error could not be told")

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
