"""``embedding_model``: a sentence model in a folder, run by fastembed. The model is made here: its vector of a text counts the words of a
small vocabulary, so that what is alike is known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.plugins.codeagent.test_similarity import PROJECT, names
from tests.server.raw_client import RawClient
from tests.server.shop import commit, git

WORDS = ("[PAD]", "[UNK]", "ledger", "sum", "withdraw", "feeder", "bowl", "drain", "invoice", "print", "class")
FILES = {
    "App.csproj": PROJECT,
    "All.cs": """namespace Shop;
public class Ledger { public int Sum; public void Withdraw() { } }
public class LedgerBook { public int Sum; public int Withdraw; }
public class Feeder { public int Bowl; public void Drain() { } }
public class Invoice { public void Print() { } }
""",
}


def write_model(folder: Path, width: int = 24) -> None:
    """Looks each token up in a matrix that has a one in the token's column; fastembed takes the mean and the length."""
    folder.mkdir(parents=True)
    weights = np.zeros((len(WORDS), width), dtype=np.float32)
    for number in range(2, len(WORDS)):
        weights[number, number] = 1
    shape = ["batch", "tokens"]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["weights", "input_ids"], ["last_hidden_state"])],
        "words",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, width])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "model.onnx"))
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    settings = {"model_max_length": 128, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    commit(folder, "First")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def server(folder: Path, data: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    """Whatever would go to the network finds nobody there."""
    unreachable = {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}
    own = {**environment, **unreachable, "CODEMAP_HOME": str(data)}
    with RawClient(own, 'toolsets=("codeagent",)', str(folder)) as client:
        client.initialize()
        yield client


def choose(data: Path, model: str) -> None:
    (data / "config.json").write_text(json.dumps({"embedding_model": model}), encoding="utf-8")


def similar(server: RawClient, symbol_id: str) -> Any:
    return server.call_json("find_similar", {"node_id": symbol_id, "limit": 1})[0]


def test_a_model_in_a_folder_decides_what_is_alike(server: RawClient, folder: Path, data: Path, tmp_path: Path) -> None:
    write_model(tmp_path / "models/words")
    choose(data, str(tmp_path / "models/words"))
    assert server.call_json("index_files", {"paths": ["All.cs"]})[0]["indexed"] == 1
    assert names(similar(server, "T:Shop.Ledger")) == ["Shop.LedgerBook"]
    status, _ = server.call_json("get_status")
    assert status["embedding_model"] == "words"
    assert status["embeddings_count"] == status["indexed_symbols"]
    assert str(tmp_path) not in str(status)

    (folder / "More.cs").write_text("namespace Shop; class FeederBowl { int drain; }\n", encoding="utf-8")
    assert server.call_json("index_files", {"paths": ["More.cs"]})[0]["indexed"] == 1
    assert names(similar(server, "T:Shop.Feeder")) == ["Shop.FeederBowl"]
    assert names(similar(server, "T:Shop.FeederBowl")) == ["Shop.Feeder"]

    choose(data, "")
    assert server.call_json("get_status")[0]["embeddings_count"] == 0, "those of another model do not count"


def test_what_is_not_there_is_not_downloaded(server: RawClient, data: Path, tmp_path: Path) -> None:
    assert server.call_json("index_files", {"paths": ["All.cs"]})[0]["indexed"] == 1
    (tmp_path / "empty").mkdir()
    write_model(tmp_path / "broken")
    (tmp_path / "broken/model.onnx").write_bytes(b"no model")
    for model, said in (
        ("BAAI/bge-small-en-v1.5", "nothing is downloaded unasked"),
        ("nobody/nothing", "fastembed knows no model 'nobody/nothing'"),
        (str(tmp_path / "empty"), "a folder 'empty' without model.onnx"),
        (str(tmp_path / "broken"), "in folder 'broken' cannot be loaded"),
    ):
        choose(data, model)
        error = similar(server, "T:Shop.Ledger")["error"]
        assert error["code"] == "engine_unavailable", error
        assert said in error["message"]
        assert str(tmp_path) not in error["message"]
        assert server.call_json("get_status")[0]["healthy"] is True
    assert not (data / "models").exists() or not list((data / "models").rglob("*.onnx"))
