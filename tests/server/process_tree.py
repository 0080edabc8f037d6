"""The processes of a running service: supervisor -> embedded store, gunicorn -> workers."""

from pathlib import Path


def children(pid: int) -> list[int]:
    """The child processes; none if the process has ended."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def descendants(pid: int) -> list[int]:
    """The children, their children, and so on."""
    return [found for child in children(pid) for found in (child, *descendants(child))]


def store_of(supervisor: int) -> int:
    """The process id of the embedded store."""
    (found,) = [pid for pid in children(supervisor) if _is_valkey(pid)]
    return found


def workers_of(supervisor: int) -> list[int]:
    """The process ids of gunicorn's workers."""
    return [worker for pid in children(supervisor) if not _is_valkey(pid) for worker in children(pid)]


def _is_valkey(pid: int) -> bool:
    try:
        return b"valkey-server" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False
