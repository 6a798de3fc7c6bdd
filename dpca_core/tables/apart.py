"""Files that only compiled code of others can read, read in a process of their own.

A workbook or a statistics program's file may be made to crash its reader, or to take all memory.
Then a process ends that does nothing else and had bounded memory, and the table is refused in a
sentence. It gets the file as its standard input, and gives Arrow's stream of batches; nothing is
written to a disk.
"""

import gc
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, TypeAlias

import pyarrow as pa

from dpca_core.data.errors import TableError

MEMORY = 430 * 2**20
"""Bytes of addresses that the process may take beyond those that it has before it reads."""
NAME = "{name}"
"""Stands for a table's name in the other process, whose command line others may see."""
_ERROR = b"error"
Reader: TypeAlias = Callable[..., tuple[Any, Iterator[Any]]]
"""A function that makes an Arrow schema and batches of an opened file and options."""


@contextmanager
def read_apart(name: str, file: BinaryIO, reader: Reader, **options: Any) -> Generator[Any]:
    """Yield Arrow's stream reader of what a reader makes of an opened file and JSON's options.

    What the reader refuses, and an end without an answer, is a ``TableError``.
    """
    in_memory, path = isinstance(file, io.BytesIO), os.pathsep.join(filter(None, sys.path))
    what = [reader.__module__, reader.__name__, json.dumps(options)]
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, *what],
        stdin=subprocess.PIPE if in_memory else file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert process.stdout is not None
    try:
        if in_memory:
            Thread(target=_give, args=(file.read(), process.stdin), daemon=True).start()
        with pa.ipc.open_stream(process.stdout) as stream:
            if error := (stream.schema.metadata or {}).get(_ERROR):
                raise TableError(error.decode().replace(NAME, name))
            yield stream
            for _ in stream:
                pass
        if process.wait():
            raise OSError
    except (pa.ArrowException, OSError):
        raise TableError(
            f"{name} cannot be read as a table; it may be damaged, or hold too much: save it as "
            "CSV."
        ) from None
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _give(content: bytes, pipe: Any) -> None:
    """Write a file in memory to a process, which may have ended already."""
    with suppress(OSError), pipe:
        pipe.write(content)


def _main(module: str, function: str, options: str) -> None:
    """Read the standard input and write Arrow's stream to what was the standard output."""
    # Nothing here is in a circle, and looking for circles among millions of cells takes long.
    gc.disable()
    out = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not get between the batches.
    os.dup2(2, 1)
    with suppress(ImportError, ValueError, OSError):
        import resource

        # If it crashes it leaves no copy of its memory.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    file: BinaryIO = os.fdopen(0, "rb", closefd=False)
    file = file if file.seekable() else io.BytesIO(file.read())
    file.seek(0)
    try:
        schema, batches = getattr(import_module(module), function)(file, **json.loads(options))
    except TableError as error:
        schema, batches = pa.schema([], {_ERROR: str(error).encode()}), iter(())
    with out, pa.ipc.new_stream(out, schema) as stream:
        for batch in batches:
            stream.write_batch(batch)


if __name__ == "__main__":
    _main(*sys.argv[1:])
