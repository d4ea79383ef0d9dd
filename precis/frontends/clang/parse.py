"""C files -> Program. Parsing and lowering happen in a child process; see child.py."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals
from typing import Final

import msgspec

from precis.errors import InputError, ToolError
from precis.frontends.cache import Cache, Inputs, digest, fingerprint
from precis.frontends.clang.child import Answer, Ending, Limits, Refused, run
from precis.frontends.clang.flags import ClangFlags, arguments
from precis.frontends.clang.library import library, library_path
from precis.frontends.clang.link import Extent
from precis.frontends.clang.source import Source, Sources, sources
from precis.frontends.clang.whole import Definitions, definitions, lowered
from precis.ir.codec import decode, encode
from precis.ir.program import Program

_LARGEST: Final = 64 << 20  # bytes of one source file


@dataclass(frozen=True, slots=True)
class ClangFrontEnd:
    """The C front end, as `protocol.FrontEnd`."""

    flags: ClangFlags = field(default_factory=ClangFlags)
    entry: str = "main"
    extent: Extent = Extent.REACHABLE
    limits: Limits = field(default_factory=Limits)
    cache: Cache | None = None

    def load(self, paths: Sequence[Path]) -> Program:
        return self.load_sources(sources(paths, self.flags))

    def load_sources(self, given: Sources) -> Program:
        """The program that the files make up, with the library models it reaches.

        Its `entry` is empty if no file defines such a function; then every function of the
        files is lowered.
        """
        return decode(self.encoded(given))

    def encoded(self, given: Sources) -> bytes:
        """The program as bytes, for who has no use for it in this process."""
        if not given.files:
            raise InputError("no file is given")
        digests = _inspected(given.files)
        _refuse_mixture(given)
        pool = self._pool(given) if given.pool else ()
        asked = [self.entry, self.extent.value, _plain(given.files), _plain(given.pool), pool]
        return self._cached(
            _key("program", digests, asked),
            given.files[0].path,
            lambda: _program(given, pool, self.entry, self.extent),
        )

    def definitions(self, source: Source) -> Definitions:
        """What a file defines for others; its functions are not lowered."""
        digests = _inspected((source,))
        content = self._cached(
            _key("definitions", digests, [_plain((source,))]), source.path, lambda: _names(source)
        )
        return msgspec.msgpack.decode(content, type=Definitions)

    def _pool(self, given: Sources) -> tuple[Definitions, ...]:
        """What the files of the pool define; one that cannot be read defines nothing."""
        found = []
        for source in given.pool:
            try:
                defined = self.definitions(source)
            except InputError:
                defined = Definitions()
            found.append(Definitions() if self.entry in defined.names else defined)
        return tuple(found)

    def _cached(self, key: bytes, first: Path, work: Callable[[], tuple[bytes, Inputs]]) -> bytes:
        """What the work gives, which is done in a child unless the cache has it."""
        known = self.cache.get(key) if self.cache is not None else None
        if known is not None:
            return known
        answer = run(lambda: _work(work), self.limits)
        content, inputs = msgspec.msgpack.decode(
            _understood(answer, first, self.limits), type=tuple[bytes, Inputs]
        )
        if self.cache is not None:
            self.cache.put(key, inputs, content)
        return content


def load(
    paths: Sequence[Path],
    flags: ClangFlags | None = None,
    entry: str = "main",
    extent: Extent = Extent.REACHABLE,
    limits: Limits | None = None,
) -> Program:
    """The program that files make up which are read in the same way, without a cache."""
    return ClangFrontEnd(flags or ClangFlags(), entry, extent, limits or Limits()).load(paths)


def prepare() -> None:
    """Read what all children need, for those that fork from this process."""
    library()
    fingerprint(library_path())


def _key(kind: str, digests: Sequence[bytes], asked: Sequence[object]) -> bytes:
    """Under which the answer is kept. Relative names mean something in one folder only."""
    code = fingerprint(library_path())
    return digest(msgspec.msgpack.encode([kind, code, os.fsencode(Path.cwd()), digests, *asked]))


def _plain(given: Sequence[Source]) -> list[object]:
    """The files and the whole command lines for libclang, which name all folders it searches."""
    return [[str(source.path), arguments(source.flags, str(source.path))] for source in given]


def _refuse_mixture(given: Sources) -> None:
    models = {source.flags.model: source for source in (*given.files, *given.pool)}
    if len(models) > 1:
        one, two, *_ = models.values()
        raise InputError(
            f"is read as {two.flags.model.value}, {one.path} as {one.flags.model.value}",
            file=str(two.path),
            advice="all files of a program need the same -m32 or -m64",
        )


def _inspected(given: Sequence[Source]) -> list[bytes]:
    """Digests of files; raises InputError for one that is no readable text."""
    return [_inspect(source.path) for source in given]


def _inspect(path: Path) -> bytes:
    """Refuse what is no readable text file, before libclang waits for it or says nothing."""
    name = str(path)
    try:
        status = path.stat()
    except FileNotFoundError:
        raise InputError("no such file", file=name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=name) from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError("is a directory, not a C file", file=name)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("is not a regular file", file=name)
    if not os.access(path, os.R_OK):
        raise InputError("cannot be read: permission denied", file=name)
    if status.st_size > _LARGEST:
        size = status.st_size >> 20
        raise InputError(f"has {size} MB; files up to {_LARGEST >> 20} MB are read", file=name)
    content = path.read_bytes()
    if b"\0" in content:
        raise InputError("is a binary file, not C source text", file=name)
    return digest(content)


def _understood(answer: Answer, path: Path, limits: Limits) -> bytes:
    first = str(path)
    match answer.ending:
        case Ending.DONE:
            return answer.content
        case Ending.REFUSED:
            raise _decoded_error(answer.content)
        case Ending.OUT_OF_TIME:
            raise InputError(f"parsing took longer than {limits.seconds:g} seconds", file=first)
        case Ending.OUT_OF_MEMORY:
            raise InputError(f"parsing needs more than {limits.megabytes} MB of memory", file=first)
        case Ending.CRASHED:
            name = Signals(answer.signal).name if answer.signal else "no answer"
            raise InputError(
                f"libclang crashed on this program ({name}); it may nest too deeply", file=first
            )
        case Ending.BROKEN:
            raise RuntimeError(f"the C front end failed\n{answer.content.decode()}")


# In the child


def _work(work: Callable[[], tuple[bytes, Inputs]]) -> bytes:
    try:
        return msgspec.msgpack.encode(work())
    except (InputError, ToolError) as error:
        raise Refused(_encoded_error(error)) from None


def _program(
    given: Sources, pool: tuple[Definitions, ...], entry: str, extent: Extent
) -> tuple[bytes, Inputs]:
    program, inputs = lowered(given, pool, entry, extent)
    return encode(program), inputs


def _names(source: Source) -> tuple[bytes, Inputs]:
    found, inputs = definitions(source)
    return msgspec.msgpack.encode(found), inputs


def _encoded_error(error: InputError | ToolError) -> bytes:
    if isinstance(error, ToolError):
        return msgspec.msgpack.encode({"tool": error.tool, "message": error.message})
    names = ("message", "file", "line", "column", "advice")
    return msgspec.msgpack.encode({name: getattr(error, name) for name in names})


def _decoded_error(content: bytes) -> InputError | ToolError:
    fields = msgspec.msgpack.decode(content)
    return ToolError(**fields) if "tool" in fields else InputError(**fields)
