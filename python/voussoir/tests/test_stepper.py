"""The stepper: the bits of a run, forces and motions between steps, states."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import voussoir as vs

from .scenes import block, footfall

GRAVITY = 9.81
MASS = 2000.0 * 0.2


def sliding(friction: float = 0.5) -> vs.Scene:
    """A low block on a box that can be moved."""
    scene = vs.Scene("Block on a table")
    stone = scene.material("stone", density=2000.0)
    scene.joint("*", "*", friction=friction)
    table = scene.box("table", size=(10.0, 10.0, 1.0), position=(0.0, 0.0, -0.5), material=stone)
    scene.support(table)
    scene.box("block", size=(1.0, 1.0, 0.2), position=(0.0, 0.0, 0.1), material=stone)
    return scene.dynamic(duration=1.0, step=1e-3)


def test_steps_by_hand_are_those_of_a_run() -> None:
    scene = footfall().dynamic(duration=0.02, step=1e-3)
    run = scene.run()
    stepper = scene.stepper()
    for index in range(1, 21):
        numbers = stepper.step()
        assert numbers["step"] == index
    assert stepper.time == run.times[-1]
    assert stepper.positions.tobytes() == run.positions[-1].tobytes()
    assert stepper.contacts["forces"].tobytes() == run.frame(-1).contacts.forces.tobytes()


@pytest.mark.parametrize("share", [0.8, 1.5])
def test_a_pushed_block_slides_beyond_friction_only(share: float) -> None:
    stepper = sliding(0.5).stepper()
    force = share * 0.5 * MASS * GRAVITY
    stepper.push("block", (force, 0.0, 0.0))
    stepper.step(100)
    speed = stepper.velocities[stepper.body("block"), 0]
    expected = max(0.0, (share - 1.0) * 0.5 * GRAVITY) * 0.1
    assert speed == pytest.approx(expected, abs=1e-6)
    # without the push friction brings it to rest
    stepper.push("block")
    stepper.step(100)
    assert abs(stepper.velocities[stepper.body("block"), 0]) < 1e-9


def test_a_moved_support_carries_a_block() -> None:
    stepper = sliding(0.5).stepper()
    stepper.step(5)
    start = stepper.positions.copy()
    # 0.2 m/s at once is an impact of friction without normal impulse: the block slides until it is as fast
    stepper.move("table", (0.2, 0.0, 0.0))
    stepper.step(200)
    table, block_ = stepper.body("table"), stepper.body("block")
    moved = stepper.positions - start
    assert moved[table, 0] == pytest.approx(0.2 * 0.2, abs=1e-12)
    assert stepper.velocities[block_, 0] == pytest.approx(0.2, abs=1e-9)
    # it lags by v²/(2 μ g)
    lag = moved[table, 0] - moved[block_, 0]
    assert lag == pytest.approx(0.2**2 / (2 * 0.5 * GRAVITY), abs=0.2 * 1e-3)
    stepper.move("table", (0.0, 0.0, 0.0))
    stepper.step(200)
    assert np.abs(stepper.velocities).max() < 1e-9


def test_states_are_copied_and_set() -> None:
    stepper = sliding().stepper()
    stepper.push("block", (3000.0, 0.0, 0.0))
    stepper.step(20)
    state = stepper.state
    stepper.step(30)
    first = stepper.motion["positions"]
    stepper.push("block")
    stepper.move("table", (1.0, 0.0, 0.0))
    stepper.step(10)
    stepper.state = state
    assert stepper.time == state.time and stepper.state == state
    stepper.step(30)
    assert stepper.positions.tobytes() == first.tobytes()
    other = sliding().stepper()
    other.state = state
    other.step(30)
    assert other.positions.tobytes() == first.tobytes()
    with pytest.raises(ValueError):
        block().dynamic(duration=1.0, step=1e-3).stepper().state = state


def test_what_cannot_be_steered_is_said() -> None:
    stepper = sliding().stepper()
    with pytest.raises(vs.SceneError, match="free"):
        stepper.move("block", (1.0, 0.0, 0.0))
    with pytest.raises(vs.SceneError, match="finite"):
        stepper.push("block", (float("nan"), 0.0, 0.0))
    with pytest.raises(vs.SceneError):
        stepper.push("brick", (1.0, 0.0, 0.0))
    with pytest.raises(vs.SceneError, match="no stage"):
        block().stepper()
    assert stepper.step()["converged"]


def test_several_steppers_in_several_threads() -> None:
    alone = sliding().stepper()
    alone.push("block", (3000.0, 0.0, 0.0))
    alone.step(50)
    steppers = [sliding().stepper(threads=1) for _ in range(3)]

    def work(stepper: vs.Stepper) -> None:
        stepper.push("block", (3000.0, 0.0, 0.0))
        for _ in range(50):
            stepper.step()

    threads = [threading.Thread(target=work, args=(stepper,)) for stepper in steppers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(stepper.positions.tobytes() == alone.positions.tobytes() for stepper in steppers)


def test_ctrl_c_ends_steps_after_the_present_one() -> None:
    stepper, other = sliding().stepper(), sliding().stepper()

    def interrupt() -> None:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(vs.Interrupted):
        stepper.step(100_000_000)
    done = round(stepper.time / 1e-3)
    assert 0 < done < 100_000_000
    stepper.step(5)
    other.step(done + 5)
    assert stepper.positions.tobytes() == other.positions.tobytes()
