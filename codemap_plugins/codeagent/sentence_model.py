"""A sentence model of the user's own for ``find_similar``, run on this machine through fastembed (the extra ``codemap[embeddings]``).

``embedding_model`` in ``config.json`` names it: a model that fastembed knows and that lies in the folder ``models`` of the data
directory, or the absolute path of a folder with ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and
``tokenizer_config.json``.

Invariant: nothing is downloaded; a model that is not there is an error that says how to get it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from codemap_core.storage.reading import bulk_rows
from codemap_core.storage.reading.bulk_rows import Declared
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema.fulltext import name_words
from codemap_plugins.codeagent.failures import EngineUnavailableError
from codemap_plugins.codeagent.projection import Bytes, Frequencies, as_bytes

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_LANGUAGE: Final = "csharp"
_MAX_CHARACTERS: Final = 1_500
"""Of a declaration that a model is given; most read 256 or 512 tokens."""
_BATCH: Final = 64
_MODEL_FILES: Final = ("model.onnx", "onnx/model.onnx")
_POOLING_FILE: Final = "1_Pooling/config.json"
"""Where the folder of a sentence-transformers model says how the vectors of its tokens become one."""


class _Pooling(Struct, frozen=True):
    pooling_mode_cls_token: bool = False
    pooling_mode_lasttoken: bool = False


class SentenceModel:
    """``asked``: as ``embedding_model`` has it. It is loaded when vectors are first made."""

    def __init__(self, asked: str, models: Path) -> None:
        """``models``: the folder of the models that fastembed knows."""
        self._asked: Final = asked
        self._models: Final = models
        self._folder: Final = Path(asked) if Path(asked).is_absolute() else None

    @property
    def name(self) -> str:
        """What a client is told: without folders."""
        return self._asked if self._folder is None else self._folder.name

    @property
    def version(self) -> str:
        """Another one for a file that was exchanged."""
        file = self._model_file()
        if self._folder is None or file is None:
            return self.name
        status = (self._folder / file).stat()
        return f"{self.name} {status.st_size} {status.st_mtime_ns}"

    def vectors(
        self,
        reader: IndexReader,
        symbols: list[Declared],
        corpus: Frequencies | None,
        check: Callable[[], None],
    ) -> tuple[Bytes, Frequencies]:
        """As ``StructuralModel.vectors``. Raises: EngineUnavailableError when the model or fastembed is not there."""
        embedding = self._loaded()
        files = {symbol.file_id for symbol in symbols} if corpus is not None else None
        texts = _texts(reader, symbols, files)
        made: NDArray[Any] | None = None
        while batch := list(islice(texts, _BATCH)):
            places, given = zip(*batch, strict=True)
            made = _placed(made, len(symbols), places, embedding.embed(given, batch_size=_BATCH))
            check()
        if made is None:
            made = np.zeros((len(symbols), 1), dtype=np.float32)
        return as_bytes(made), Frequencies.none(len(symbols))

    def _model_file(self) -> str | None:
        """Of a model in a folder; null where there is none, and for a model that fastembed looks for itself."""
        if self._folder is None:
            return None
        return next((name for name in _MODEL_FILES if (self._folder / name).is_file()), None)

    def _loaded(self) -> TextEmbedding:
        try:
            from fastembed import TextEmbedding
            from fastembed.common.model_description import ModelSource, PoolingType
        except ImportError as error:
            raise EngineUnavailableError(
                "embedding_model needs fastembed: pip install 'codemap[embeddings]', or leave embedding_model out of config.json."
            ) from error
        file = self._model_file()
        if self._folder is None:
            return self._cached(TextEmbedding)
        if file is None:
            raise EngineUnavailableError(
                f"embedding_model names a folder '{self.name}' without {' or '.join(_MODEL_FILES)}. Correct config.json, or leave it out."
            )
        known = {each["model"] for each in TextEmbedding.list_supported_models()}
        if self._asked not in known:
            TextEmbedding.add_custom_model(
                model=self._asked,
                pooling=PoolingType(_pooling(self._folder)),
                normalization=True,
                sources=ModelSource(hf=self.name),
                dim=0,
                model_file=file,
            )
        try:
            return TextEmbedding(self._asked, specific_model_path=str(self._folder), local_files_only=True)
        except Exception as error:  # onnxruntime and tokenizers have errors of their own for each kind of damage
            raise EngineUnavailableError(
                f"The model in folder '{self.name}' cannot be loaded: {_said(error)}"
            ) from error

    def _cached(self, kind: type[TextEmbedding]) -> TextEmbedding:
        names = [each["model"] for each in kind.list_supported_models()]
        if self._asked.lower() not in {name.lower() for name in names}:
            raise EngineUnavailableError(
                f"fastembed knows no model '{self.name}'. It knows {', '.join(sorted(names)[:3])} and others; a folder is named by its "
                "absolute path."
            )
        try:
            return kind(self._asked, cache_dir=str(self._models), local_files_only=True)
        except Exception as error:  # as above
            raise EngineUnavailableError(
                f"The model '{self.name}' is not in the folder 'models' of the data directory, and nothing is downloaded unasked. "
                f"docs/codeagent.md says how to get it ({_said(error)})."
            ) from error


def _pooling(folder: Path) -> str:
    try:
        said = msgspec.json.decode((folder / _POOLING_FILE).read_bytes(), type=_Pooling)
    except (OSError, msgspec.MsgspecError):
        return "MEAN"
    return "CLS" if said.pooling_mode_cls_token else "LAST_TOKEN" if said.pooling_mode_lasttoken else "MEAN"


def _said(error: Exception) -> str:
    """The first line of a message, without folders."""
    line = str(error).partition("\n")[0]
    return " ".join(word for word in line.split() if "/" not in word and "\\" not in word)[:200] or type(error).__name__


def _placed(
    made: NDArray[Any] | None, count: int, rows: Sequence[int], vectors: Iterable[NDArray[Any]]
) -> NDArray[Any]:
    found = np.stack(list(vectors)).astype(np.float32)
    if made is None:
        made = np.zeros((count, found.shape[1]), dtype=np.float32)
    made[list(rows)] = found
    return made


def _texts(reader: IndexReader, symbols: list[Declared], files: set[int] | None) -> Iterator[tuple[int, str]]:
    """(place in ``symbols``, text) for each: the words of its name, then its declaration as it stands in the file."""
    places: dict[int, list[int]] = {}
    for place, symbol in enumerate(symbols):
        places.setdefault(symbol.file_id, []).append(place)
    for file_id, text in bulk_rows.texts(reader, _LANGUAGE, files):
        lines = text.split("\n")
        for place in places.get(file_id, ()):
            symbol = symbols[place]
            declaration = "\n".join(lines[symbol.first_line - 1 : symbol.last_line])
            yield place, f"{symbol.kind} {' '.join(name_words(symbol.name))}\n{declaration}"[:_MAX_CHARACTERS]
