"""`--cluster`: the workers of a dask scheduler play many matches;
the scheduler is real, with two workers on the loopback."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from adjudicator.cli import workers
from adjudicator.cli.post_office import HOST, free_port
from adjudicator.cli.simulate import play_matches
from adjudicator.cli.workers import CERTIFICATES, LostPart, Scheduler, results_of, scheduler_at
from adjudicator.engine.bots import Batch
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.library import registry
from tests.cli.calling import GAME, adjudicator
from tests.cli.dying import work
from tests.engine.match_folders import begun, send_all, tree

ROOT = Path(__file__).parents[2]
MONDAY = "2026-11-23T12:00Z"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if find_spec("distributed") is None:
        if os.environ.get("CI"):
            pytest.fail("dask.distributed isn't installed: the extra `dev` brings it")
        pytest.skip("dask.distributed isn't installed")
    home, found = tmp_path_factory.mktemp("dask"), f"tcp://{HOST}:{free_port()}"
    # One more than one worker may be lost with a part before it is given up: the usual three take their time.
    # Workers come of one process that has loaded dask, in place of loading it each time anew.
    more = {
        "PYTHONPATH": str(ROOT),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
        "DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "forkserver",
    }
    log = (home / "log").open("wb")

    def started(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", *words, "--no-dashboard", "--host", HOST]
        return subprocess.Popen(command, cwd=home, env={**os.environ, **more}, stdout=log, stderr=log)

    scheduler = started("distributed.cli.dask_scheduler", "--port", found.rpartition(":")[2])
    workers = started("distributed.cli.dask_worker", found, "--nworkers", "2", "--nthreads", "1")
    try:
        with import_module("distributed").Client(found, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
        yield found
    finally:
        for process in (workers, scheduler):
            process.terminate()
            process.wait()
        log.close()


@pytest.fixture
def in_twos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CHUNK", 2)


@pytest.mark.usefixtures("in_twos")
def test_a_cluster_changes_no_result(address: str) -> None:
    rulebook = registry.rulebook(GAME)
    batch = Batch(GAME, ("venice", "genoa"), "calm", rulebook.Options(turns=1), own=())  # type: ignore[call-arg]
    assert play_matches(batch, 5, 0, Scheduler(address)) == play_matches(batch, 5, 1)
    said = adjudicator("simulate", GAME, "-n", 3, "--option", "turns=1", "--cluster", address)
    assert "Méditerranée, 4 players: 3 matches" in said.output


@pytest.mark.usefixtures("in_twos")
def test_many_matches_are_run_as_here_and_a_faulty_one_stops_no_other(address: str, tmp_path: Path) -> None:
    first = begun(tmp_path / "first")
    names = ["one", "two", "three", "four", "five"]
    for where in ("there", "here"):
        for name in names:
            shutil.copytree(first, tmp_path / where / name)
        for name in ("one", "two", "five"):
            send_all(tmp_path / where / name)
        (tmp_path / where / "three" / "match.yaml").write_text("match: [\n")
    there = [tmp_path / "there" / name for name in [*names, "nowhere"]]
    here = [tmp_path / "here" / name for name in [*names, "nowhere"]]
    far = adjudicator("run", "--if-due", *there, "--at", MONDAY, "--cluster", address)
    near = adjudicator("run", "--if-due", *here, "--at", MONDAY)
    assert far.exit_code == near.exit_code == 1
    assert far.output.replace(str(tmp_path / "there"), "") == near.output.replace(str(tmp_path / "here"), "")
    assert "6 matches: 3 adjudicated, 1 waiting, 2 faulty." in far.output
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


def test_a_folder_is_the_same_for_workers_that_are_elsewhere(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_all(begun(tmp_path / "lagoon"))
    monkeypatch.chdir(tmp_path)
    assert adjudicator("run", "lagoon", "--at", MONDAY, "--cluster", address).exit_code == 0


def test_a_lost_worker_costs_nothing_and_work_that_loses_all_is_said(address: str, tmp_path: Path) -> None:
    parts = ["a", f"once {tmp_path / 'lost'}", "always", "wrong", "b"]
    found = list(results_of(Scheduler(address), work, parts))
    assert found[0] == parts[0]
    assert found[1] == parts[1]
    assert found[2] == LostPart("always", workers.LOST)
    assert found[3] == LostPart("wrong", "ValueError: this part is wrong")
    assert found[4] == parts[4]


def test_matches_that_a_lost_worker_had_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        workers, "results_of", lambda address, work, parts: [LostPart(part, "lost") for part in parts]
    )
    told = adjudicator("run", tmp_path / "a", tmp_path / "b", "--cluster", "tcp://127.0.0.1:1")
    assert told.exit_code == 1
    for name in ("a", "b"):
        assert f"{tmp_path / name}: result unknown" in told.output
    told = adjudicator("simulate", GAME, "-n", 3, "--cluster", "tcp://127.0.0.1:1")
    assert told.exit_code == 1, told.output
    assert "matches 0 to 2 weren't played: lost" in told.output


def test_workers_of_another_version_are_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "__version__", "0.0.other")
    with pytest.raises(Faulty) as faulty:
        list(results_of(Scheduler(address), work, ["a"]))
    assert "the workers need adjudicator 0.0.other: tcp://" in faulty.value.problems[0].text


def test_a_cluster_that_isnt_there(address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 1)
    told = adjudicator("run", tmp_path, "--cluster", f"tcp://{HOST}:{free_port()}")
    assert told.exit_code == 1, told.output
    assert "no scheduler answers there" in told.output
    assert adjudicator("run", tmp_path, "--cluster", "gopher://here").exit_code == 2


def test_what_doesnt_go_with_a_cluster(tmp_path: Path) -> None:
    for words in (["--deadline"], ["--dice", "4"], ["--jobs", "2"]):
        assert adjudicator("run", tmp_path, *words, "--cluster", "tcp://127.0.0.1:1").exit_code == 2
    assert adjudicator("simulate", GAME, "--jobs", "2", "--cluster", "tcp://127.0.0.1:1").exit_code == 2


def test_without_the_extra_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workers, "find_spec", lambda name: None)
    told = adjudicator("run", tmp_path, "--cluster", "tcp://127.0.0.1:1")
    assert told.exit_code == 2, told.output
    assert "[cluster]" in told.output


def test_nothing_of_dask_is_loaded_without_the_option(tmp_path: Path) -> None:
    code = (
        "import sys; from adjudicator.cli import app\n"
        f"for words in (['simulate', {GAME!r}, '-n', '1', '--option', 'turns=1', '--jobs', '1'], ['run', 'nowhere']):\n"
        "    app(words, standalone_mode=False) if words[0] == 'simulate' else None\n"
        "import adjudicator.cli.run, adjudicator.cli.run\n"
        "sys.exit(any(name.split('.')[0] in ('dask', 'distributed') for name in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr


# -- whom a cluster is spoken with ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "there",
    [
        "tcp://10.0.0.1:8786",
        "10.0.0.1:8786",
        "tcp://club.example.org:8786",
        "tcp://[2001:db8::1]:8786",
        "tcp://0.0.0.0:1",
    ],
)
def test_no_scheduler_on_another_machine_is_spoken_with_in_clear(there: str) -> None:
    for command in (["run", "nowhere"], ["simulate", GAME, "-n", "1"]):
        done = adjudicator(*command, "--cluster", there)
        assert done.exit_code == 2
        assert "could run anything on this machine" in " ".join(re.sub("[│]", " ", done.output).split())
    assert scheduler_at(there, None, insecure=True) == Scheduler(there)


@pytest.mark.parametrize(
    "here", ["tcp://127.0.0.1:8786", "127.0.0.2:8786", "tcp://localhost:1", "tcp://[::1]:8786"]
)
def test_one_on_this_machine_is(here: str) -> None:
    assert scheduler_at(here, None, insecure=False) == Scheduler(here)


@pytest.mark.parametrize(
    "there", ["tls://club.example.org:8786", "ws://127.0.0.1:1", "ucx://127.0.0.1:1", "inproc://x"]
)
def test_tls_needs_its_certificates_and_nothing_else_is_spoken(there: str, tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter):
        scheduler_at(there, None, insecure=True)
    with pytest.raises(typer.BadParameter):
        scheduler_at(there, tmp_path, insecure=True)  # there are none
    with pytest.raises(typer.BadParameter):
        scheduler_at("tcp://127.0.0.1:1", tmp_path, insecure=False)  # which would go unused
    with pytest.raises(typer.BadParameter):
        scheduler_at("", tmp_path, insecure=False)


@pytest.mark.soak
def test_by_tls_the_certificates_are_used(tmp_path: Path) -> None:
    """A scheduler of which the certificate isn't from the authority that is named isn't spoken with."""
    openssl = shutil.which("openssl")
    if openssl is None or find_spec("distributed") is None:
        pytest.skip("openssl makes the certificates, and isn't installed")
    for name in ("club", "stranger"):
        (home := tmp_path / name).mkdir()
        how = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
        files = ["-keyout", home / "key.pem", "-out", home / "cert.pem"]
        subprocess.run([openssl, *how.split(), *files], check=True, capture_output=True)
        shutil.copy(home / "cert.pem", home / "ca.pem")
    own = [f"--tls-{kind}={tmp_path}/club/{name}" for kind, name in TLS_OPTIONS.items()]
    address = f"tls://{HOST}:{free_port()}"
    words = ["distributed.cli.dask_scheduler", "--protocol", "tls", "--host", HOST, "--no-dashboard", *own]
    scheduler = subprocess.Popen(
        [sys.executable, "-m", *words, "--port", address.rpartition(":")[2]],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with pytest.MonkeyPatch.context() as patch:
            for patience, home, said in (
                (1, "stranger", "no scheduler answers there"),
                (1, "club", "the scheduler has had no worker"),
            ):
                patch.setattr(workers, "PATIENCE", patience if home == "stranger" else 15)
                with pytest.raises(Faulty) as faulty:
                    list(results_of(Scheduler(address, tmp_path / home), work, ["a"]))
                assert said in faulty.value.problems[0].text
    finally:
        scheduler.terminate()
        scheduler.wait()
    assert set(CERTIFICATES.values()) == {*TLS_OPTIONS.values()}


TLS_OPTIONS = {"ca-file": "ca.pem", "cert": "cert.pem", "key": "key.pem"}
