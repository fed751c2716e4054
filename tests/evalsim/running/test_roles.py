"""Who plays which role, as a file, a preset and options say."""

import re
import socket
from pathlib import Path

import pytest

from cypher.translation import speaking
from evalsim.running.roles import Player, check_players, read_cast
from evalsim.running.run import open_model
from kg.errors import ConfigurationError, EvaluationError


def written(folder: Path, text: str) -> Path:
    path = folder / "roles.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_preset_binds_all_but_the_doctor() -> None:
    with pytest.raises(ConfigurationError, match=r"doctor: not bound; .* --doctor medkg/doctor-"):
        read_cast({}, preset="offline")
    cast = read_cast({"doctor": "medkg/doctor-greedy"}, preset="offline")
    assert [(role, player.model) for role, player in cast.players()] == [
        ("director", "medkg/director"),
        ("patient", "medkg/patient"),
        ("doctor", "medkg/doctor-greedy"),
        ("judge", "medkg/judge"),
    ]


def test_the_paper_s_models_are_its_own() -> None:
    cast = read_cast({"doctor": "x"}, preset="paper")
    assert cast.director
    assert (cast.director.model, cast.patient.model) == ("deepseek-ai/DeepSeek-R1", "Qwen/QwQ-32B")
    assert [judge.model for judge in cast.judge] == ["Qwen/QwQ-32B"]


def test_a_file_adds_to_a_preset_and_an_option_to_both(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "judge: {base_url: 'http://localhost:8000/v1', key: JUDGE_KEY, temperature: 0}\n"
        "doctor: {model: one, max_tokens: 100}\n",
    )
    cast = read_cast({"doctor": "other"}, file, "paper")
    assert cast.judge[0] == Player(
        model="Qwen/QwQ-32B",
        base_url="http://localhost:8000/v1",
        key="JUDGE_KEY",
        temperature=0,
        max_tokens=16_384,
    )
    assert (cast.doctor.model, cast.doctor.max_tokens) == ("other", 100)


def test_several_judges_are_numbered() -> None:
    cast = read_cast({"doctor": "d"}, preset="offline", judges=("a", "b"))
    assert [role for role, _ in cast.players()][-2:] == ["judge", "judge 2"]


def test_without_a_director_none_is_needed() -> None:
    given = {"doctor": "d", "patient": "p", "judge": "j"}
    assert read_cast(given, director=False).director is None
    with pytest.raises(ConfigurationError, match="director: not bound"):
        read_cast(given)


FIELDS = ", ".join(Player.model_fields)


@pytest.mark.parametrize(
    ("text", "message", "in_chinese"),
    [
        (
            "doctor: {model: m, base_url: 'http://me:secret@host/v1'}",
            "base_url of doctor: an address holds no credentials; name the variable of the key by 'key'",
            "doctor 的 base_url：地址中不能有凭据",
        ),
        (
            "doctor: {model: m, base_url: 'ftp://me:secret@host:abc/v1'}",
            "base_url of doctor: an address holds no credentials; name the variable of the key by 'key'",
            "doctor 的 base_url：地址中不能有凭据",
        ),
        (
            "doctor: {model: m, base_url: 'ftp://host'}",
            "base_url of doctor: ftp://host is no address of the web; write e.g. http://localhost:8000/v1",
            "ftp://host 不是网址",
        ),
        (
            "doctor: {model: m, api_key: secret}",
            f"doctor has no field api_key; there are {FIELDS}",
            "doctor 没有 api_key 这一项",
        ),
        (
            "doctor: {model: m, max_retries: -1}",
            "max_retries of doctor is -1; write 0 or more",
            "请写成不小于 0 的数",
        ),
        (
            "doctor: {model: m, temperature: hot}",
            'temperature of doctor is "hot"; write a number',
            "请写成数",
        ),
        (
            "judge: [{model: a}, {modell: b}]",
            "judge 2 has no model; give it, e.g. 'model: openai/gpt-4o'",
            "judge 2 缺少 model",
        ),
        (
            "judge: []",
            "judge is []; write its fields, e.g. '{model: ",
            "judge 为 []；请写明其各项",
        ),
        ("patient:", "patient is null; write its fields", "patient 为 null"),
        ("director:", "director is null; write its fields", "director 为 null"),
        (
            "doctor: {model: m, base_url: 'http://localhost:abc/v1'}",
            "base_url of doctor: http://localhost:abc/v1 is no address of the web; write e.g. ",
            "http://localhost:abc/v1 不是网址",
        ),
        ("nurse: {model: m}", "'nurse' is no role; write a mapping of director, ", "不是角色"),
        (
            "[1, 2]",
            "names no role; write a line for each, e.g. 'doctor: {model: ",
            "没有写明任何角色",
        ),
        ("", "names no role; write a line for each, e.g. 'doctor: {model: ", "没有写明任何角色"),
        ("a: [", "cannot be read (line 1: expected the node content, ", "无法读取（第 1 行："),
    ],
)
def test_what_no_role_has_is_said_in_a_sentence_with_its_place(
    tmp_path: Path, text: str, message: str, in_chinese: str
) -> None:
    given = {} if "doctor" in text else {"doctor": "d"}
    file = written(tmp_path, text)
    for language, told in (("en", f"{file}: {message}"), ("zh", in_chinese)):
        with speaking(language), pytest.raises(ConfigurationError, match=re.escape(told)) as e:
            read_cast(given, file, "offline")
        assert "secret" not in str(e.value)
        assert "\n" not in str(e.value)


def test_a_provider_without_its_key_says_which_variable_to_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    player = Player(model="openai/gpt-4o")
    with pytest.raises(
        EvaluationError, match=r"doctor: openai/gpt-4o has no key; set OPENAI_"
    ) as e:
        open_model("doctor", player)
    assert "[" not in str(e.value)
    with (
        speaking("zh"),
        pytest.raises(EvaluationError, match="openai/gpt-4o 没有密钥；请设置 OPENAI_"),
    ):
        open_model("doctor", player)


def test_a_key_in_place_of_its_variable_is_not_shown() -> None:
    cast = read_cast({"doctor": "medkg/doctor-oracle"}, preset="offline")
    keyed = cast.model_copy(update={"doctor": Player(model="m", key="sk-abc123-secret")})
    with pytest.raises(ConfigurationError, match="key is the name of the environment var") as e:
        check_players(dict(keyed.players()))
    assert "secret" not in str(e.value)


def test_a_missing_key_and_a_closed_port_are_said_before_the_first_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    cast = read_cast({"doctor": "medkg/doctor-oracle"}, preset="offline")
    keyed = cast.model_copy(update={"doctor": Player(model="m", key="NO_SUCH_KEY")})
    with pytest.raises(ConfigurationError, match="doctor: the variable NO_SUCH_KEY is not set"):
        check_players(dict(keyed.players()))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    closed = cast.model_copy(update={"judge": (Player(model="m", base_url=url),)})
    with pytest.raises(ConfigurationError, match=r"judge: http://127.0.0.1:.* cannot be reached"):
        check_players(dict(closed.players()))


@pytest.mark.parametrize(
    ("role", "model", "fitting"),
    [
        ("doctor", "medkg/patient", "medkg/doctor-differential"),
        ("patient", "medkg/doctor-greedy", "medkg/patient"),
        ("judge 2", "medkg/director", "medkg/judge"),
    ],
)
def test_what_medkg_plays_is_bound_to_its_own_role_alone(
    role: str, model: str, fitting: str
) -> None:
    check_players({role: Player(model=fitting)})
    with pytest.raises(ConfigurationError, match=f"{role}: {model} .* bind it to {fitting}"):
        check_players({role: Player(model=model)})


def test_an_identity_tells_endpoints_apart_and_no_retries() -> None:
    player = Player(model="m", base_url="http://a/v1")
    assert player.identity() == player.model_copy(update={"max_retries": 9, "key": "K"}).identity()
    assert player.identity() != player.model_copy(update={"base_url": "http://b/v1"}).identity()
