"""Child processes of the supervisor: they end with it, and a terminal's Ctrl+C does not reach them."""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

PR_SET_PDEATHSIG: Final = 1


def start(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    output: IO[bytes] | None = None,
    pass_fds: Sequence[int] = (),
    umask: int = -1,
) -> subprocess.Popen[bytes]:
    """Start a command in a process group of its own; `output` takes its standard output and error output.

    `umask`: of the files that the command makes; -1 leaves it as it is.

    A terminal sends Ctrl+C to the whole foreground group. The supervisor alone must receive it, because it decides in
    which order its children stop.
    """
    return subprocess.Popen(  # noqa: S603  (our own commands)
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=pass_fds,
        umask=umask,
        process_group=0,
        preexec_fn=_prepare,  # noqa: PLW1509  (the supervisor has one thread)
    )


def stop(process: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Stop a child: by SIGTERM, and after that many seconds by SIGKILL."""
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _prepare() -> None:
    """In the child, before the command runs. A signal mask is inherited, and the supervisor blocks signals."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if sys.platform == "linux":
        # The kernel sends SIGTERM to the child when the supervisor dies, even by SIGKILL.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
