"""Studies on Dask: batches of about a second, rows into the journal of the client.

A worker gets the text of the study with every batch and keeps the study for the next ones, so that nothing is lost when a
worker ends: Dask computes its batch on another worker. A batch whose workers end repeatedly is divided; a sample that
ends every process that computes it becomes a row with this reason.
"""

from __future__ import annotations

import collections
import contextlib
import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _native
from .errors import SceneError, VoussoirError

if TYPE_CHECKING:
    from .study import Study

#: Time of a batch [s].
BATCH = 1.0
#: Submitted batches per worker thread: one is computed, one waits.
AHEAD = 2
#: Attempts with a single sample; an attempt fails after several workers have ended.
ATTEMPTS = 3

#: A study as text: fingerprint, specification, scene, folder of the scene, folder of records and tables.
Payload = tuple[str, str, str, str, str]

#: The study of the last batch. The key is the payload: studies with other numbers of samples have the same fingerprint.
_known: dict[Payload, _native.NativeStudy] = {}


def compute(payload: Payload, indices: list[int], directory: str) -> tuple[list[str], float]:
    """Computes a batch on a worker: the rows as lines of the journal, and the time [s]."""
    fingerprint, spec, scene, folder, base = payload
    if payload not in _known:
        study = _native.NativeStudy(spec, scene, folder, base)
        if study.fingerprint() != fingerprint:
            raise SceneError(
                "the worker has another version of voussoir, or other records, than the client",
                help="install the same version on all machines",
            )
        _known.clear()
        _known[payload] = study
    start = time.perf_counter()
    lines = _known[payload].compute(indices, directory)
    return lines, time.perf_counter() - start


def run(
    study: Study,
    directory: str,
    *,
    address: str | None,
    client: Any,
    workers: int | None,
    call: Callable[[int, int], bool | None] | None,
) -> None:
    """Computes the samples that are not in the folder."""
    try:
        import distributed
    except ImportError as error:
        raise ImportError('engine="dask" needs the package distributed: pip install "dask[distributed]"') from error
    with contextlib.ExitStack() as stack:
        journal = _native.NativeJournal(study._native, directory)
        stack.callback(journal.close)
        pending = collections.deque([index] for index in journal.pending())
        if not pending:
            return
        if client is None and address is None:
            from .study import cores

            count = workers or cores()
            try:
                cluster = distributed.LocalCluster(
                    n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None
                )
            except RuntimeError as error:
                # every worker imports the script
                words = 'the workers did not start; in a script the call must be under `if __name__ == "__main__":`'
                raise RuntimeError(words) from error
            stack.callback(cluster.close)
            address = cluster.scheduler_address
        if client is None:
            client = distributed.Client(address, set_as_default=False)
            stack.callback(client.close)
        payload = (study.fingerprint, json.dumps(study._spec), study._text, study._folder, study._base)
        stack.enter_context(client.as_current())
        _Batches(client, journal, payload, directory, len(study), call).work(pending)


class _Batches:
    """Batches of samples, from submission to the journal."""

    def __init__(
        self,
        client: Any,
        journal: _native.NativeJournal,
        payload: Payload,
        directory: str,
        total: int,
        call: Callable[[int, int], bool | None] | None,
    ) -> None:
        self.client = client
        self.journal = journal
        self.payload = payload
        self.directory = directory
        self.total = total
        self.call = call
        #: Batches of fixed size: single samples of failed batches, and lost batches.
        self.alone: collections.deque[list[int]] = collections.deque()
        self.futures: dict[Any, list[int]] = {}
        self.given_up: collections.Counter[int] = collections.Counter()
        self.size = 1

    def work(self, pending: collections.deque[list[int]]) -> None:
        """Computes all samples; `pending` has batches of one sample."""
        import distributed

        done = self.total - len(pending)
        try:
            while pending or self.alone or self.futures:
                self.submit(pending)
                with contextlib.suppress(TimeoutError, distributed.TimeoutError):
                    distributed.wait(list(self.futures), timeout=0.5, return_when="FIRST_COMPLETED")
                before = done
                for future in [future for future in self.futures if future.done()]:
                    done += self.take(future)
                if done > before and self.call is not None and self.call(done, self.total):
                    return
        finally:
            for future in list(self.futures):
                with contextlib.suppress(Exception):
                    future.cancel()

    def submit(self, pending: collections.deque[list[int]]) -> None:
        """Submits batches until every worker computes one and has one waiting."""
        threads = max(1, sum(self.client.nthreads().values()))
        while (pending or self.alone) and len(self.futures) < AHEAD * threads:
            if self.alone:
                batch = self.alone.popleft()
            else:
                # the last batches are small enough for all workers
                size = max(1, min(self.size, -(-len(pending) // threads)))
                batch = [index for _ in range(size) for index in pending.popleft()]
            future = self.client.submit(compute, self.payload, batch, self.directory, pure=False)
            self.futures[future] = batch

    def take(self, future: Any) -> int:
        """Writes the rows of a batch into the journal; returns their number."""
        import distributed

        batch = self.futures.pop(future)
        error: BaseException | None
        try:
            error = future.exception(timeout=10.0)
            if error is None:
                lines, seconds = future.result(timeout=10.0)
        except (Exception, distributed.CancelledError) as raised:
            error = raised
        if error is None:
            self.journal.add(list(zip(batch, lines, strict=True)))
            if seconds > 0.0:
                self.size = max(1, min(4 * self.size, round(BATCH * len(batch) / seconds)))
            return len(batch)
        if isinstance(error, VoussoirError):
            raise error
        if isinstance(error, distributed.KilledWorker):
            if len(batch) == 1:
                self.given_up[batch[0]] += 1
                if self.given_up[batch[0]] >= ATTEMPTS:
                    self.journal.lose(batch[0], "every process that computed this sample ended")
                    return 1
            self.alone.extend([index] for index in batch)
            return 0
        if isinstance(error, (OSError, TimeoutError, distributed.CancelledError)) or future.cancelled():
            # a failure of the transport, not of the samples
            self.alone.append(batch)
            return 0
        raise error
