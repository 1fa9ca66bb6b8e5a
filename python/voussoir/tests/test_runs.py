"""Runs: the same bits as the command, arrays without a copy, stops, threads, forks."""

from __future__ import annotations

import gc
import json
import os
import pathlib
import runpy
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import voussoir as vs

from .scenes import block, command, examples, footfall

#: Examples that run in seconds; all of them with VOUSSOIR_ALL.
QUICK = ["sliding_block", "rocking_block", "newton_cradle", "pendulum", "overhang", "tilting_block", "rough_joint"]
if "VOUSSOIR_ALL" in os.environ:
    QUICK = sorted(path.stem for path in (examples() or pathlib.Path()).glob("*.toml"))


def falling(duration: float = 0.2, step: float = 1e-3, every: int = 1) -> vs.Scene:
    """A block that falls from a height of 10 m."""
    scene = block()
    scene["block.position"] = [0.0, 0.0, 10.0]
    scene.record(every=every)
    return scene.dynamic(duration=duration, step=step)


def state(folder: pathlib.Path, *, of_text: bool) -> bytes:
    """The checkpoint without what depends on computing time; with or without the hash of the text of the scene."""
    data = (folder / "checkpoint").read_bytes()
    # checksum, lengths of timing.csv and checksums, real time; then the version of the program and the hash
    begin = 48 + 1 + data[48]
    end = begin + 1
    while data[end - 1] & 0x80:
        end += 1
    return data[48:] if of_text else data[48:begin] + data[end:]


def same_results(first: pathlib.Path, second: pathlib.Path, *, of_text: bool = True) -> None:
    """History and final state byte for byte, and all bits of the last frame; ``of_text``: of the same text of a scene."""
    assert (first / "history.csv").read_bytes() == (second / "history.csv").read_bytes()
    assert state(first, of_text=of_text) == state(second, of_text=of_text)
    a, b = vs.Run.open(first), vs.Run.open(second)
    assert len(a) == len(b)
    assert a.frame(-1).positions.tobytes() == b.frame(-1).positions.tobytes()
    assert a.frame(-1).velocities.tobytes() == b.frame(-1).velocities.tobytes()
    assert a.frame(-1).contacts.forces.tobytes() == b.frame(-1).contacts.forces.tobytes()


@pytest.mark.parametrize("name", QUICK)
def test_examples_have_the_same_bits_from_python_and_from_the_command(name: str, tmp_path: pathlib.Path) -> None:
    folder = examples()
    if folder is None:
        pytest.skip("needs a clone of the repository")
    path = folder / f"{name}.toml"
    command("run", str(path), "-o", str(tmp_path / "command"), "--quiet", check=False)
    built = runpy.run_path(str(folder / "python" / f"{name}.py"))["scene"]
    for scene, threads, of_text in ((vs.load(path), 1, True), (vs.load(path), 2, True), (built, 2, False)):
        out = tmp_path / f"{threads}-{of_text}"
        assert scene.run(out, threads=threads).finished
        same_results(tmp_path / "command", out, of_text=of_text)
    # in memory: the numbers of the history
    memory, kept = built.run(threads=1), vs.Run.open(tmp_path / "command").history
    assert len(memory.history) == len(kept)
    # a scene of static stages has no rows
    for column in kept if len(kept) else []:
        if not column.endswith("_s") or column in ("time_s", "step_s"):
            np.testing.assert_array_equal(memory.history[column], kept[column], err_msg=column)


def test_a_falling_block_follows_the_parabola() -> None:
    run = falling().run()
    times = run.times
    assert times[-1] == pytest.approx(0.2)
    assert run.positions.shape == (len(times), 2, 3) and run.orientations.shape == (len(times), 2, 4)
    np.testing.assert_allclose(run.positions[:, 1, 2], 10.0 - 9.81 * times**2 / 2, atol=1e-12)
    np.testing.assert_allclose(run.velocities[:, 1, 2], -9.81 * times, atol=1e-12)
    assert run.history["kinetic_j"][-1] == pytest.approx(400.0 * (9.81 * 0.2) ** 2 / 2)
    assert run.converged and run.finished and run.summary["steps"] == 200


def test_arrays_are_views_that_outlive_the_run() -> None:
    run = falling().run()
    positions, forces = run.positions, run.contacts.forces
    assert positions.__array_interface__["data"][0] == run._all().address("positions")
    assert run.positions.__array_interface__["data"][0] == positions.__array_interface__["data"][0]
    assert not positions.flags.writeable and not positions.flags.owndata
    with pytest.raises(ValueError):
        positions[0, 0, 0] = 1.0
    with pytest.raises(ValueError):
        positions.setflags(write=True)
    copied = positions.copy()
    del run
    gc.collect()
    hold = [np.ones(1 << 16) for _ in range(50)]
    assert np.array_equal(positions, copied) and forces.shape[1] == 3
    del hold


def scattered(count: int, frames: int) -> vs.Scene:
    """Balls that fall side by side, with a frame per step."""
    rows = [
        f"[[bodies]]\nname = \"b{i}\"\nshape = \"sphere\"\nradius = 0.1\nmaterial = \"stone\"\n"
        f"position = [{i % 100}.0, {i // 100 % 100}.0, {i // 10_000}.0]\n"
        for i in range(count)
    ]
    text = 'materials.stone.density = 2000.0\njoints = [{ between = ["*", "*"], friction = 0.5 }]\nmax_bodies = 100000\n'
    scene = vs.Scene.from_text(text + "".join(rows))
    scene.record(every=1, history_every=frames)
    return scene.dynamic(duration=1e-3 * frames, step=1e-3)


def test_arrays_of_many_blocks_are_those_of_the_recorder() -> None:
    count, frames = (10_000, 1_000) if "VOUSSOIR_TIMING" in os.environ else (500, 20)
    run = scattered(count, frames).run()
    positions = run.positions
    assert positions.shape == (frames + 1, count, 3)
    assert positions.__array_interface__["data"][0] == run._all().address("positions")
    assert not positions.flags.writeable and positions.flags.c_contiguous
    del run
    gc.collect()
    np.testing.assert_allclose(positions[-1, :, 2] - positions[0, :, 2], -9.81 * (1e-3 * frames) ** 2 / 2, atol=1e-9)


@pytest.mark.skipif("VOUSSOIR_TIMING" not in os.environ, reason="on a machine that does nothing else")
def test_two_runs_in_two_threads_take_the_time_of_one() -> None:
    scene = footfall().dynamic(duration=20.0, step=1e-3)
    scene.record(every=10_000, history_every=10_000)

    def timed(count: int) -> float:
        threads = [threading.Thread(target=lambda: scene.copy().run(threads=1)) for _ in range(count)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - start

    timed(1)
    one, two = min(timed(1) for _ in range(3)), min(timed(2) for _ in range(3))
    assert 2.0 * one / two >= 1.8, (one, two)


@pytest.mark.skipif("VOUSSOIR_TIMING" not in os.environ, reason="on a machine that does nothing else")
def test_the_package_is_imported_in_a_moment() -> None:
    code = "import time; start = time.perf_counter(); import voussoir; print(time.perf_counter() - start)"
    found = [float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(5)]
    assert min(found) < 0.3, found


def test_contacts_are_ragged_and_carry_the_weight() -> None:
    scene = block().dynamic(duration=0.02, step=1e-3)
    run = scene.run()
    offsets = run.offsets
    assert offsets[0] == 0 and offsets[-1] == len(run.contacts.gaps)
    last = run.frame(-1).contacts
    weight = 2000.0 * 0.2 * 9.81
    sign = np.where(last.bodies[:, 0] == 1, 1.0, -1.0)
    assert (sign * last.forces[:, 2]).sum() == pytest.approx(weight, rel=1e-8)
    assert set(last.statuses.tolist()) <= {0, 1, 2}


def test_folders_are_read_frame_by_frame(tmp_path: pathlib.Path) -> None:
    scene = falling()
    run, memory = scene.run(tmp_path / "out"), scene.run()
    opened = vs.Run.open(tmp_path / "out")
    assert len(opened) == len(memory) and opened.finished
    # poses in folders are rounded to 1e-9 of the radius of a body
    for index in (0, 7, -1):
        np.testing.assert_allclose(opened.frame(index).positions, memory.frame(index).positions, rtol=0, atol=1e-9)
    assert np.array_equal(run.positions, opened.positions)
    np.testing.assert_allclose(run.positions, memory.positions, rtol=0, atol=1e-9)
    with pytest.raises(IndexError):
        opened.frame(len(opened))
    with pytest.raises(vs.ResultsError):
        scene.run(tmp_path / "out")
    scene.run(tmp_path / "out", overwrite=True)
    with pytest.raises(vs.ResultsError):
        vs.Run.open(tmp_path / "nothing")


def test_tables_have_units() -> None:
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    run = falling().run()
    frame = run.history.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.attrs["units"]["kinetic_j"] == "J"
    assert len(frame) == 200
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset) and data.positions.attrs["units"] == "m"
    assert float(data.positions.sel(body="block", xyz="z")[-1]) == run.positions[-1, 1, 2]
    assert run.to_pandas().loc[(run.times[-1], "block"), "z_m"] == run.positions[-1, 1, 2]
    assert run.history.to_xarray().kinetic_j.attrs["units"] == "J"


def test_contacts_are_in_tables_too() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    run = block().dynamic(duration=0.02, step=1e-3).run()
    weight, last = 2000.0 * 0.2 * 9.81, len(run) - 1
    table = run.contacts_to_pandas()
    rows = table[table["frame"] == last]
    upwards = np.where(rows["candidate"] == "block", 1.0, -1.0)
    assert (upwards * rows["fz_n"]).sum() == pytest.approx(weight, rel=1e-8)
    data = run.to_xarray()
    assert data.contact_forces.attrs["units"] == "N" and data.sizes["edge"] == len(run) + 1
    forces = data.contact_forces.sel(xyz="z")[data.frame == last]
    assert float(np.abs(forces).sum()) == pytest.approx(weight, rel=1e-8)


def test_runs_draw_their_frames_and_carry_their_certificate(tmp_path: pathlib.Path) -> None:
    scene = falling(0.02)
    memory, kept = scene.run(), scene.run(tmp_path / "out")
    for run in (memory, kept):
        assert run.picture(0).startswith("<svg") and run.picture(0) != run.picture(-1)
        assert run.picture(png=True) == run._repr_png_() and run.picture(png=True)[:8] == b"\x89PNG\r\n\x1a\n"
        assert run.certificate.proved and run.certificate.residual is not None
        assert "max_residual" in str(run) and "<svg" in run._repr_html_()
        with pytest.raises(IndexError):
            run.picture(99)


def test_a_callback_sees_every_step_and_may_stop() -> None:
    seen: list[vs.StepInfo] = []

    def watch(step: vs.StepInfo) -> bool:
        seen.append(step)
        return step.step == 5

    run = falling().run(callback=watch)
    assert [step.step for step in seen] == [1, 2, 3, 4, 5]
    assert seen[-1].speed == pytest.approx(9.81 * 5e-3) and not run.finished

    def fail(step: vs.StepInfo) -> bool:
        raise ZeroDivisionError("in a callback")

    with pytest.raises(ZeroDivisionError, match="in a callback"):
        falling().run(callback=fail)


def test_a_stopped_run_resumes_to_the_same_bits(tmp_path: pathlib.Path) -> None:
    scene = footfall().dynamic(duration=0.03, step=1e-3)
    scene.run(tmp_path / "whole")
    run = scene.run(tmp_path / "parts", callback=lambda step: step.step == 11)
    assert not run.finished
    assert run.resume().finished
    same_results(tmp_path / "whole", tmp_path / "parts")


def test_ctrl_c_ends_a_run_after_one_step_with_a_checkpoint(tmp_path: pathlib.Path) -> None:
    scene = footfall().dynamic(duration=0.3, step=1e-3)
    longest, last = 0.0, time.perf_counter()

    def watch(step: vs.StepInfo) -> None:
        nonlocal longest, last
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        # so slow that it cannot end before the interrupt
        time.sleep(0.005)

    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        time.sleep(0.3)
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(vs.Interrupted) as caught:
        scene.run(tmp_path / "parts", callback=watch)
    ended = time.perf_counter()
    assert isinstance(caught.value, KeyboardInterrupt) and caught.value.directory == str(tmp_path / "parts")
    # one step and 0.1 s; on a busy machine also the time to write the checkpoint
    assert ended - sent < longest + 0.1 + (0.0 if "VOUSSOIR_TIMING" in os.environ else 0.5)
    assert not vs.Run.open(tmp_path / "parts").finished
    vs.resume(tmp_path / "parts")
    scene.run(tmp_path / "whole")
    same_results(tmp_path / "whole", tmp_path / "parts")


def test_other_threads_of_python_go_on_during_a_run() -> None:
    scene = footfall().dynamic(duration=40.0, step=1e-3)
    scene.record(every=10_000, history_every=10_000)
    done = threading.Event()

    def work() -> None:
        scene.run(threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    gaps = [0.0]
    last = time.perf_counter()
    while not done.is_set():
        time.sleep(0.001)
        now = time.perf_counter()
        gaps.append(now - last)
        last = now
    thread.join()
    assert len(gaps) > 20
    if "VOUSSOIR_TIMING" in os.environ:
        # on a machine that does nothing else
        assert max(gaps) < 0.05


def test_runs_in_several_threads_have_the_same_bits() -> None:
    scene = footfall().dynamic(duration=0.02, step=1e-3)
    alone = scene.run(threads=1).positions
    found: dict[int, np.ndarray] = {}
    threads = [
        threading.Thread(target=lambda key=key: found.update({key: scene.copy().run(threads=1).positions}))
        for key in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(alone, other) for other in found.values())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_works() -> None:
    scene = footfall()
    scene.stand(threads=2)
    assert scene.dynamic(duration=0.01, step=1e-3).run(threads=2).finished
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if scene.stand(threads=2).stands and falling(0.01).run().finished else 2
        finally:
            os._exit(status)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the forked process hangs")
    assert os.waitstatus_to_exitcode(status) == 0


def memory() -> float:
    """Memory of this process [MB]."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_does_not_grow() -> None:
    scene, run = block(), block().dynamic(duration=2e-3, step=1e-3)
    stands = int(os.environ.get("VOUSSOIR_MANY", "300"))
    for _ in range(100):
        scene.stand(threads=1)
        run.run(threads=1)
    gc.collect()
    before = memory()
    for _ in range(stands):
        scene.stand(threads=1)
    for _ in range(stands // 10):
        run.run(threads=1)
    gc.collect()
    assert memory() - before < 20.0


def test_the_page_is_shown_without_waiting(tmp_path: pathlib.Path) -> None:
    import urllib.request

    run = falling().run(tmp_path / "out")
    try:
        viewer = run.view(open_browser=False)
    except vs.ResultsError as error:
        if "without the results page" in str(error) or "no page" in str(error).lower():
            pytest.skip(str(error))
        raise
    with viewer:
        assert viewer.running and viewer.address.startswith("http://127.0.0.1")
        with urllib.request.urlopen(viewer.address, timeout=30) as answer:
            assert answer.status == 200
    assert not viewer.running


def test_reports_and_the_command(tmp_path: pathlib.Path) -> None:
    run = falling().run(tmp_path / "out")
    assert pathlib.Path(run.report()).read_text(encoding="utf-8").startswith("<!")
    assert command("--version").stdout.strip().endswith(vs.__version__)
    assert json.loads(command("run", "none.toml", "--json", check=False).stdout or "{}") is not None
    assert command("run", "none.toml", check=False).returncode == 2
    assert "<table>" in run._repr_html_() and "200 steps" in repr(run)


def test_a_support_follows_an_array() -> None:
    """Motion by rows [time, displacement], as an array."""
    times = np.linspace(0.0, 0.1, 101)
    way = 0.02 * np.sin(2.0 * np.pi * 5.0 * times)
    scene = vs.Scene("Table")
    stone = scene.material("stone", density=2000.0)
    scene.joint("*", "*", friction=0.9)
    table = scene.box("table", size=(4.0, 4.0, 1.0), position=(0.0, 0.0, -0.5), material=stone)
    scene.support(table, motion={"quantity": "position", "direction": (1, 0, 0), "table": np.stack([times, way], axis=1)})
    scene.box("block", size=(1.0, 1.0, 0.2), position=(0.0, 0.0, 0.1), material=stone)
    scene.record(every=1)
    run = scene.dynamic(duration=0.1, step=1e-3).run()
    np.testing.assert_allclose(run.positions[:, 0, 0], way, rtol=0, atol=1e-12)
