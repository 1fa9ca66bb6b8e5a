"""Dask and Slurm: the table of a study of threads, byte for byte, whatever is killed."""

from __future__ import annotations

import contextlib
import getpass
import json
import math
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import voussoir as vs
from voussoir import _native

from .scenes import footfall
from .test_study import frictions

distributed = pytest.importorskip("distributed")

#: Kills of workers and of the client; a hundred in the nightly tests.
KILLS = int(os.environ.get("VOUSSOIR_KILLS", "3"))
#: Samples of the arch of 27; a thousand in the nightly tests.
ARCHES = int(os.environ.get("VOUSSOIR_ARCHES", "12"))


def environment() -> dict[str, str]:
    """That of this process, with this package."""
    paths = [str(pathlib.Path(vs.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


#: For workers: every batch is noted when it is begun.
NOTED = """
import json, os
import voussoir._dask as dask
plain = dask.compute
def compute(payload, indices, directory):
    with open(os.environ["VOUSSOIR_NOTED"], "a", encoding="utf-8") as file:
        file.write(json.dumps(indices) + "\\n")
    return plain(payload, indices, directory)
compute.__module__, compute.__qualname__ = plain.__module__, plain.__qualname__
dask.compute = compute
"""


def worker(folder: pathlib.Path) -> subprocess.Popen[bytes]:
    """A Dask worker of one thread."""
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(folder / "scheduler.json"),
         "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder)],
        env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )


@contextlib.contextmanager
def cluster(folder: pathlib.Path, workers: int = 2) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """``dask scheduler`` and processes ``dask worker``: address and workers."""
    file = folder / "scheduler.json"
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
         "--no-dashboard", "--scheduler-file", str(file)],
        env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(600):
            if file.exists() and file.read_text():
                break
            time.sleep(0.1)
        started += [worker(folder) for _ in range(workers)]
        yield json.loads(file.read_text())["address"], started
    finally:
        for process in [*started, scheduler]:
            process.terminate()
        for process in [*started, scheduler]:
            try:
                process.wait(20.0)
            except subprocess.TimeoutExpired:
                process.kill()


def test_dask_gives_the_table_of_threads(tmp_path: pathlib.Path) -> None:
    study = vs.Study(
        footfall(), vary={"friction": vs.uniform(0.3, 0.9), "arch.thickness": vs.uniform(0.5, 0.7)}, samples=ARCHES
    )
    expected = study.run(threads=2).csv()
    assert study.run(tmp_path / "local", engine="dask", workers=2).csv() == expected
    assert (tmp_path / "local/samples.csv").read_text(encoding="utf-8") == expected
    with cluster(tmp_path) as (address, _):
        seen: list[tuple[int, int]] = []
        found = study.run(engine="dask", address=address, callback=lambda *counts: seen.append(counts))
        assert found.csv() == expected and seen[-1] == (ARCHES, ARCHES)
        with distributed.Client(address, set_as_default=False) as client:
            assert study.run(engine="dask", client=client).csv() == expected
    for number in range(1, 5):
        study.run(tmp_path / "parts", part=(number, 4))
    assert study.collect(tmp_path / "parts").csv() == expected


@pytest.mark.skipif("VOUSSOIR_TIMING" not in os.environ, reason="on a machine that does nothing else")
def test_two_workers_compute_nearly_twice_as_much(tmp_path: pathlib.Path) -> None:
    def arches(samples: int) -> vs.Study:
        return vs.Study(footfall(), vary={"friction": vs.uniform(0.3, 0.9)}, samples=samples)

    def timed(count: int) -> float:
        folder = tmp_path / str(count)
        folder.mkdir(exist_ok=True)
        with cluster(folder, count) as (address, _), distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(count)
            # the first samples of a worker import the package and build the study
            arches(4 * count).run(engine="dask", client=client)
            start = time.perf_counter()
            assert arches(ARCHES).run(engine="dask", client=client).done == ARCHES
            (folder / "scheduler.json").unlink()
            return time.perf_counter() - start

    times = [(timed(1), timed(2)) for _ in range(3)]
    one, two = (min(values) for values in zip(*times, strict=True))
    assert one / two >= 1.8, times


def test_from_a_scene_to_a_fragility_curve_in_one_script(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scene, answers, a run with its tables and its page, a study on a cluster: the first example that users try."""
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    monkeypatch.chdir(tmp_path)
    scene = vs.Scene("Arch under a footfall")
    stone = scene.material("limestone", density=2300.0)
    scene.joint(stone, stone, friction=0.6)
    arch = scene.arch("arch", span=7.6, thickness=0.6, width=0.8, voussoirs=27, material=stone)
    scene.support(arch.springers)
    scene.load("footfall", on=arch.voussoir[9], force=(0, 0, -1000))
    answer = scene.stand()
    assert answer.stands and answer.margin and answer.thrust and len(answer.thrust_line("arch").points) == 28
    low, high = answer.thrust.interval
    assert low and high and low < high
    multiplier = scene.limit("footfall").multiplier
    assert multiplier and multiplier > 1.0
    thinnest = scene.find("arch.thickness", "smallest", between=(0.3, 0.6)).value
    assert thinnest and 0.3 < thinnest < 0.6
    run = scene.dynamic(duration=2.0, step=1e-3).run("out")
    assert run.positions.shape[1:] == (29, 3) and run.to_xarray().sizes["body"] == 29
    assert len(run.history.to_pandas()) == 2000
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with run.view() as viewer:
        assert viewer.running and opened == [viewer.address]
    # where a record shakes the arch, and damage has a name, a table has a curve
    (tmp_path / "pulse.csv").write_text(
        "\n".join(f"{0.01 * i},{9.81 * math.sin(2.0 * math.pi * i / 50.0)}" for i in range(51)), encoding="utf-8"
    )
    shaken = vs.Study(
        scene.dynamic(duration=0.8, step=2e-3),
        vary={"arch.thickness": vs.lognormal(0.6, 0.15)},
        samples=6,
        ask="run",
        motions={"records": ["pulse.csv"], "unit": "m/s2", "im": "pga", "levels": [3.0, 4.5, 6.0, 7.5]},
        damage={"fell": ("end_drop_m", ">", 0.2)},
    )
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        table = vs.Study(
            scene, vary={"friction": vs.lognormal(0.6, 0.2)}, samples=12, design="lhs", ask="stand"
        ).run(engine="dask", address=address)
        assert len(table) == table.done == 12
        # of a static study: what is missing is said
        with pytest.raises(vs.SceneError, match="pga"):
            table.fragility(im="pga", damage="fell")
        table = shaken.run(engine="dask", address=address)
    curve = table.fragility(im="pga", damage="fell")
    assert curve.plot().svg.startswith("<svg") and 3.0 < curve.theta < 7.5 and curve.beta > 0.0


def slow(samples: int) -> vs.Study:
    """Samples of some tens of milliseconds."""
    return vs.Study(
        footfall(), vary={"arch.thickness": vs.uniform(0.5, 0.7)}, samples=samples, ask="limit", limit={"acceleration": "x"}
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_workers_lose_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = slow(40 + 20 * KILLS)
    expected = study.run().csv()
    numbers = random.Random(7)
    killed = whole = 0
    (tmp_path / "sitecustomize.py").write_text(NOTED, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("VOUSSOIR_NOTED", str(tmp_path / "noted"))
    with cluster(tmp_path) as (address, workers):
        ended = threading.Event()

        def kill() -> None:
            nonlocal killed
            with distributed.Client(address, set_as_default=False) as client:
                while not ended.wait(numbers.uniform(0.2, 1.5)) and killed < KILLS:
                    try:
                        found = client.run(os.getpid)
                    except (OSError, TimeoutError, distributed.CommClosedError):
                        continue
                    if found:
                        # the process that computes; its nanny starts another one
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(numbers.choice(sorted(found.values())), signal.SIGKILL)
                            killed += 1

        thread = threading.Thread(target=kill)
        thread.start()
        try:
            while killed < KILLS:
                table = study.run(tmp_path / f"out-{whole}", engine="dask", address=address)
                assert table.csv() == expected and set(table["status"]) == {"done"}
                whole += 1
        finally:
            ended.set()
            thread.join()
    # done twice: at most the batch that a killed worker computed, and one that it had not handed over yet
    batches = [json.loads(line) for line in (tmp_path / "noted").read_text(encoding="utf-8").splitlines()]
    begun = [index for batch in batches for index in batch]
    assert set(begun) == set(range(len(study)))
    assert len(begun) - whole * len(study) <= 2 * killed * max(len(batch) for batch in batches)


CLIENT = """
import voussoir as vs

if __name__ == "__main__":
    vs.Study.load({study!r}).run({out!r}, engine="dask", address={address!r})
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_client_goes_on(tmp_path: pathlib.Path) -> None:
    study = slow(40 + 20 * KILLS)
    expected = study.run().csv()
    path = study.save(tmp_path / "saved")
    numbers, killed, whole = random.Random(11), 0, 0
    with cluster(tmp_path) as (address, _):
        script = tmp_path / "client.py"
        while killed < KILLS:
            out = tmp_path / f"out-{whole}"
            script.write_text(CLIENT.format(study=str(path), out=str(out), address=address), encoding="utf-8")
            process = subprocess.Popen([sys.executable, str(script)], env=environment())
            begun, patience = time.monotonic(), numbers.uniform(0.0, 2.0)
            # from the moment that it computes
            while not out.exists() and process.poll() is None and time.monotonic() - begun < 60.0:
                time.sleep(0.05)
            time.sleep(patience)
            if process.poll() is None:
                process.kill()
                killed += 1
            # the study may be complete, which is the end of this folder
            whole += process.wait() == 0
        for number in range(whole + 1):
            assert study.run(tmp_path / f"out-{number}", engine="dask", address=address).csv() == expected


def test_a_sample_that_kills_its_workers_is_a_row(tmp_path: pathlib.Path) -> None:
    """The rows of a journal that other processes send, and a sample that none of them survives."""
    study = frictions(4)
    expected = study.run()
    native = _native.NativeJournal(study._native, tmp_path)
    with pytest.raises(vs.SceneError, match="another process"):
        _native.NativeJournal(study._native, tmp_path)
    assert native.pending() == [0, 1, 2, 3]
    lines = study._native.compute([0, 1, 3], tmp_path)
    assert native.add(list(zip([0, 1, 3], lines, strict=True))) == ["done"] * 3
    with pytest.raises(vs.SceneError, match="another study"):
        native.add([(2, lines[0])])
    native.lose(2, "every process that computed this sample ended")
    assert native.pending() == []
    native.close()
    table = study.collect(tmp_path)
    assert table["status"].tolist() == ["done", "done", "lost", "done"] and "ended" in table["reason"][2]
    rows, others = table.csv().splitlines(), expected.csv().splitlines()
    assert [rows[i] for i in (0, 1, 2, 4)] == [others[i] for i in (0, 1, 2, 4)]


class Doomed:
    """A client whose workers die of the sample 2, and compute the others."""

    def __init__(self) -> None:
        self.deaths = 0

    def nthreads(self) -> dict[str, int]:
        return {"a": 1}

    def submit(self, call: Any, payload: Any, batch: list[int], directory: str, pure: bool) -> Any:
        client = self

        class Answer:
            def done(self) -> bool:
                return True

            def cancelled(self) -> bool:
                return False

            def cancel(self) -> None:
                pass

            def exception(self, timeout: float) -> BaseException | None:
                if 2 not in batch:
                    return None
                client.deaths += 1
                return distributed.KilledWorker("sample", None, 3)  # type: ignore[no-any-return]

            def result(self, timeout: float) -> Any:
                # a long batch, so that several samples go together
                return call(payload, batch, directory)[0], 1e-3

        return Answer()


def test_a_batch_whose_workers_die_is_divided(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from collections import deque

    from voussoir import _dask

    monkeypatch.setattr(distributed, "wait", lambda *_, **__: None)
    study = frictions(12)
    expected = study.run().csv().splitlines()
    payload = (study.fingerprint, json.dumps(study._spec), study._text, study._folder, study._base)
    journal, client = _native.NativeJournal(study._native, tmp_path), Doomed()
    batches = _dask._Batches(client, journal, payload, str(tmp_path), len(study), None)
    batches.size = 5
    batches.work(deque([index] for index in journal.pending()))
    journal.close()
    table = study.collect(tmp_path)
    assert table["status"].tolist() == ["done", "done", "lost"] + ["done"] * 9
    rows = table.csv().splitlines()
    assert [row for i, row in enumerate(rows) if i != 3] == [row for i, row in enumerate(expected) if i != 3]
    # once in a batch, then as a single sample in all attempts
    assert client.deaths == 1 + _dask.ATTEMPTS
    wrong = (payload[0][::-1], *payload[1:])
    with pytest.raises(vs.SceneError, match="another version"):
        _dask.compute(wrong, [0], str(tmp_path))


def test_a_worker_knows_studies_of_several_sizes_apart(tmp_path: pathlib.Path) -> None:
    from voussoir import _dask

    for number, count in enumerate((12, 30, 12)):
        study = frictions(count)
        payload = (study.fingerprint, json.dumps(study._spec), study._text, study._folder, study._base)
        lines, _ = _dask.compute(payload, [1, 5], str(tmp_path))
        journal = _native.NativeJournal(study._native, tmp_path / str(number))
        assert journal.add(list(zip([1, 5], lines, strict=True))) == ["done"] * 2
        journal.close()


def test_an_error_of_a_worker_is_raised(tmp_path: pathlib.Path) -> None:
    """A worker that does not find the records of the study says so."""
    (tmp_path / "c.csv").write_text("\n".join(f"{0.01 * i},{1.0 - 0.01 * i}" for i in range(50)), encoding="utf-8")
    study = vs.Study(
        frictions(1).scene(0).dynamic(duration=0.05, step=1e-3),
        ask="run",
        motions={"records": ["c.csv"], "unit": "m/s2"},
        base=tmp_path,
    )
    assert study.run().done == 1
    (tmp_path / "c.csv").unlink()
    with cluster(tmp_path, 1) as (address, _), pytest.raises(vs.VoussoirError, match="c.csv"):
        study.run(engine="dask", address=address)


# Slurm

CONF = """
ClusterName=voussoir
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPort={control}
SlurmdPort={daemon}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
NodeName=localhost NodeAddr=127.0.0.1 NodeHostname={host} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def port() -> int:
    """A port that is free."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def slurm(folder: pathlib.Path) -> Iterator[dict[str, str]]:
    """slurmctld and slurmd on loopback; skipped with a word where they are missing or do not start."""
    missing = [name for name in ("slurmctld", "slurmd", "sbatch", "sinfo", "squeue") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs Slurm: {', '.join(missing)} not found (Debian: slurmctld slurmd slurm-client)")
    (folder / "state").mkdir(parents=True)
    (folder / "spool").mkdir()
    conf = folder / "slurm.conf"
    text = CONF.format(
        user=getpass.getuser(), control=port(), daemon=port(), folder=folder, host=socket.gethostname(), cpus=os.cpu_count()
    )
    conf.write_text(text, encoding="utf-8")
    env = {**environment(), "SLURM_CONF": str(conf)}
    logs = open(folder / "start.log", "wb")
    started = [subprocess.Popen(["slurmctld", "-D", "-f", str(conf)], env=env, stdout=logs, stderr=logs)]
    try:
        started.append(
            subprocess.Popen(["slurmd", "-D", "-f", str(conf), "-N", "localhost"], env=env, stdout=logs, stderr=logs)
        )
        for _ in range(100):
            answer = subprocess.run(["sinfo", "-h", "-o", "%T"], env=env, capture_output=True, text=True)
            if answer.stdout.strip() == "idle" or any(process.poll() is not None for process in started):
                break
            time.sleep(0.2)
        if answer.stdout.strip() != "idle":
            logs.flush()
            tails = "; ".join(
                " ".join(path.read_text(errors="replace").splitlines()[-3:]) for path in sorted(folder.glob("*.log"))
            )
            pytest.skip(f"Slurm does not start here: sinfo says {answer.stdout.strip() or answer.stderr.strip()}; {tails}"[:900])
        yield env
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            try:
                process.wait(20.0)
            except subprocess.TimeoutExpired:
                process.kill()
        logs.close()


def test_an_array_of_slurm_computes_the_parts(tmp_path: pathlib.Path) -> None:
    study = frictions(40)
    expected = study.run().csv()
    program = os.environ.get("VOUSSOIR_COMMAND") or shutil.which("voussoir")
    if program is None:
        pytest.skip("needs the command voussoir (VOUSSOIR_COMMAND)")
    with slurm(tmp_path / "slurm") as env:
        env["PATH"] = os.pathsep.join([str(pathlib.Path(program).parent), env["PATH"]])
        out = tmp_path / "out"
        (tmp_path / "sweep.sh").write_text(study.slurm(out, 4), encoding="utf-8")
        answer = subprocess.run(
            ["sbatch", "--parsable", "sweep.sh"], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert answer.returncode == 0, answer.stderr
        for _ in range(600):
            if not subprocess.run(["squeue", "-h"], env=env, capture_output=True, text=True).stdout.strip():
                break
            time.sleep(0.2)
        said = "".join(path.read_text(errors="replace") for path in tmp_path.glob("slurm-*.out"))
        assert len(list(out.glob("journal-*-of-4.jsonl"))) == 4, said
    assert study.collect(out).csv() == expected
    assert textwrap.dedent("#!/bin/sh") in (tmp_path / "sweep.sh").read_text()
