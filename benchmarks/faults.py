"""Which suite finds a fault: random faults in src, each against the tests that reach its line.

    .venv/bin/python -m benchmarks.faults map               # after a commit: 10 to 20 minutes
    .venv/bin/python -m benchmarks.faults run --seed 1 --number 300
    .venv/bin/python -m benchmarks.faults run --seed 2 --number 100

`map` runs all tests in a clone of HEAD, traced in the processes that they start as well, and keeps
which test reaches which line. `run` gives each fault to the tests of `make test` that reach its
line, the cheapest first, until one fails. What survives the first 60 meets the others in pools of
20 faults at once, and at the end the tests of `make soak`: if a test fails, it is run with half of
the pool, and so on, until it is known which fault it has found. A line that runs when its module
is imported is reached by the tests that reach any line of the module. Both work in clones below
build/faults. Each result is in build/faults/SEED.jsonl, so a run that ended early goes on with the
next call, as long as the map is the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

from coverage import CoverageData
from coverage.exceptions import CoverageException

from benchmarks.fault_sites import KINDS, Fault, choose, with_faults

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "faults"
REACHED = WORK / "reached.json"
SUITES = ("test", "soak", "none")
LEFT = "left"  # not found yet
HANGS = "an endless loop"
FIRST = 60  # tests that a fault meets alone: most meet their end there
POOL = 20  # most of the others that meet the rest of the tests together
# When a test or all of a run counts as an endless loop; the map was made with a tracer.
TEST_SECONDS, START_SECONDS, PATIENCE = 60, 60, 3
# Measures a process that a test starts, under the name of the test; our command ends with _exit.
TRACE = """\
import os
if os.environ.get("FAULTS_TRACE") and os.environ.get("PYTEST_CURRENT_TEST"):
    import coverage
    _measured = coverage.Coverage(
        data_file=os.environ["FAULTS_TRACE"], data_suffix=True, config_file=False,
        source_pkgs=["learnings"], context=os.environ["PYTEST_CURRENT_TEST"].split(" (")[0],
        check_preimported=False, messages=False,
    )
    _measured._warn_no_data = False  # the test reads what the process says
    _measured._auto_save = True  # auto_data=True would also load what others have saved
    _measured.start()
    _exit = os._exit
    def _save_and_exit(code):
        _measured.stop()
        _measured.save()
        _exit(code)
    os._exit = _save_and_exit
"""


class Tests:
    """The map: the seconds of each test, the tests of `make soak`, the tests that reach a line."""

    def __init__(self) -> None:
        known = json.loads(REACHED.read_text("utf-8"))
        self._names: Sequence[str] = known["names"]
        self._by_line: Mapping[str, Mapping[str, Sequence[int]]] = known["by_line"]
        self.seconds: Mapping[str, float] = known["seconds"]
        self.soak = frozenset[str](known["soak"])

    def reaching(self, faults: Iterable[Fault]) -> tuple[list[str], list[str]]:
        """Return the tests that reach a line of the faults, the cheapest first.

        The first list has those of `make test`, the second one those of `make soak`.
        """
        names = {name for fault in faults for name in self._reaching(fault)}
        tests = sorted(names & self.seconds.keys(), key=self.seconds.__getitem__)
        return [t for t in tests if t not in self.soak], [t for t in tests if t in self.soak]

    def _reaching(self, fault: Fault) -> set[str]:
        lines = self._by_line.get(fault.path, {})
        # Python reports only some lines of a statement.
        own = range(fault.first_line, fault.line + 1)
        numbers = {number for line in own for number in lines.get(str(line), ())}
        if "" in (self._names[number] for number in numbers):  # runs at import
            numbers = {number for reached in lines.values() for number in reached}
        return {self._names[number] for number in numbers}


class Place:
    """A clone of HEAD with an environment of its own, in which faults are made."""

    def __init__(self, number: int, revision: str) -> None:
        self.folder, env = WORK / str(number), WORK / f"env{number}"
        self.python = env / "bin" / "python"
        self.sound: set[str] = set()  # tests that passed without a fault
        self.broken: set[str] = set()  # tests that fail without one
        self._moment = int(time.time())
        shutil.rmtree(self.folder, ignore_errors=True)
        _run("git", "clone", "--quiet", str(ROOT), str(self.folder))
        _run("git", "-C", str(self.folder), "checkout", "--quiet", "--detach", revision)
        _run(sys.executable, "-m", "venv", "--clear", "--without-pip", str(env))
        packages = next(env.glob("lib/python*/site-packages"))
        tools = [path for path in sys.path if path.endswith("-packages")]
        (packages / "tools.pth").write_text("\n".join(tools) + "\n", encoding="utf-8")
        (packages / "trace_start.py").write_text(TRACE, encoding="utf-8")
        (packages / "trace.pth").write_text("import trace_start\n", encoding="utf-8")
        options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index")
        pip = (sys.executable, "-m", "pip", "--python", str(self.python), "install", *options)
        _run(*pip, "--force-reinstall", "--editable", str(self.folder))
        for tool in Path(sys.executable).parent.iterdir():
            if not (env / "bin" / tool.name).exists():
                (env / "bin" / tool.name).symlink_to(tool)

    @contextmanager
    def broken_by(self, faults: Iterable[Fault]) -> Iterator[None]:
        """Make faults in the sources, and undo them."""
        by_path: dict[str, list[Fault]] = defaultdict(list)
        for fault in faults:
            by_path[fault.path].append(fault)
        sources = {path: (self.folder / path).read_bytes() for path in by_path}
        for path, source in sources.items():
            self._write(path, with_faults(source, by_path[path]))
        try:
            yield
        finally:
            for path, source in sources.items():
                self._write(path, source)

    def _write(self, path: str, source: bytes) -> None:
        """Write a module at a second of its own.

        Bytecode is known by second and size: a fault of the same size would outlive its removal.
        """
        self._moment += 1
        file = self.folder / path
        file.write_bytes(source)
        os.utime(file, (self._moment, self._moment))

    def tests(self, chosen: Sequence[str], tests: Tests) -> str | None:
        """Run chosen tests in order until one fails, as `pytest`."""
        names = self.folder / "build-tests.txt"
        names.write_text("\n".join(chosen), encoding="utf-8")
        seconds = START_SECONDS + PATIENCE * sum(tests.seconds[test] for test in chosen)
        files = sorted({test.split("::")[0] for test in chosen})
        endless = (f"faulthandler_timeout={TEST_SECONDS}", "faulthandler_exit_on_timeout=true")
        words = ["-x", *(word for option in endless for word in ("-o", option)), *files]
        return self.pytest(*words, seconds=seconds, FAULTS_TESTS=str(names))

    def pytest(self, *words: str, seconds: float | None = None, **variables: str) -> str | None:
        """Run pytest; return what it printed if tests failed or hung, None if they passed."""
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        command = [str(self.python), "-m", "pytest", "-q", "-p", "benchmarks.fault_runs"]
        process = subprocess.Popen(
            [*command, "-m", "", *words],
            cwd=self.folder,
            env=environment | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return HANGS
        return out if process.returncode else None


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def make_map(jobs: int, revision: str) -> None:
    """Run all tests and keep which of them reach which line, what they cost, which are `soak`."""
    place = Place(0, revision)
    processes = WORK / "processes"
    shutil.rmtree(processes, ignore_errors=True)
    processes.mkdir()
    for old in WORK.glob("costs.*"):
        old.unlink()
    out = place.pytest(
        *("-n", str(jobs), "--dist", "worksteal", "--cov", "--cov-report=", "--cov-context=test"),
        FAULTS_COSTS=str(WORK / "costs"),
        FAULTS_TRACE=str(processes / "data"),
    )
    print(out or "all tests passed")
    rows = [json.loads(row) for file in WORK.glob("costs.*") for row in file.open()]
    soak = {name for name, _, marks in rows if "soak" in marks}
    by_line: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    traced: dict[str, set[str]] = defaultdict(set)  # by `make test`, in its own process
    own = place.folder / ".coverage"
    for file in [own, *processes.iterdir()]:
        for path, lines in _contexts(file, place.folder):
            for line, tests in lines:
                by_line[path][line] |= tests
                if file == own and not tests <= soak:
                    traced[path].add(line)
    print("\nLines that only `make soak` or the programs of other tests reach:")
    for path, reached in sorted(by_line.items()):
        if numbers := sorted(int(line) for line in reached.keys() - traced[path]):
            print(f"{path}: {', '.join(_ranges(numbers))}")
    _keep({name: cost for name, cost, _ in rows}, soak, by_line)


def _keep(
    seconds: Mapping[str, float], soak: set[str], by_line: Mapping[str, Mapping[str, set[str]]]
) -> None:
    """Write the map, with a number for each test: their names would take 700 MB."""
    names = sorted(
        {name for lines in by_line.values() for tests in lines.values() for name in tests}
    )
    number_of = {name: number for number, name in enumerate(names)}
    numbers = {
        path: {line: [number_of[test] for test in tests] for line, tests in lines.items()}
        for path, lines in by_line.items()
    }
    document = {"names": names, "seconds": seconds, "soak": sorted(soak), "by_line": numbers}
    REACHED.write_text(json.dumps(document), encoding="utf-8")


def _ranges(numbers: Sequence[int]) -> Iterator[str]:
    """Yield sorted numbers as `3` or `5-8`."""
    first = last = numbers[0]
    for number in [*numbers[1:], -1]:
        if number != last + 1:
            yield f"{first}-{last}" if first < last else f"{first}"
            first = number
        last = number


def _contexts(file: Path, folder: Path) -> Iterator[tuple[str, list[tuple[str, set[str]]]]]:
    data = CoverageData(str(file))
    try:
        data.read()
    except CoverageException:  # of a process that was killed
        return
    for path in data.measured_files():
        if path.startswith(f"{folder}/src"):
            lines = data.contexts_by_lineno(path).items()
            yield (
                Path(path).relative_to(folder).as_posix(),
                [(str(line), {name.split("|")[0] for name in names}) for line, names in lines],
            )


def _failed(output: str) -> list[str]:
    lines = [line.split(" - ")[0] for line in output.splitlines()]
    return [line.split(" ", 1)[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]


def first_failing(
    place: Place, faults: Sequence[Fault], chosen: Sequence[str], tests: Tests
) -> tuple[str, Sequence[str]]:
    """Return the first test that fails with the faults and passes without, and those from it on.

    The name is empty if none does, and HANGS if a test that is not known never ends.
    """
    left = [test for test in chosen if test not in place.broken]
    while left:
        with place.broken_by(faults):
            out = place.tests(left, tests)
        if out is None:
            break
        found = next(iter(_failed(out)), HANGS)
        if found not in left:
            return HANGS, left
        left = left[left.index(found) :]
        if found in place.sound or place.tests([found], tests) is None:
            place.sound.add(found)
            return found, left
        place.broken.add(found)
        del left[0]
    return "", ()


def found_in_pool(
    place: Place, pool: Sequence[Fault], chosen: Sequence[str], tests: Tests
) -> Iterator[tuple[Fault, str]]:
    """Yield the faults of a pool that a test finds, and the test.

    All are made at once: most of them survive, and one run shows that. A test that fails is run
    again with half of them, and so on, until one is left; without that one, the others go on.
    """
    left = list(pool)
    while left and chosen:
        name, chosen = first_failing(place, left, chosen, tests)
        if not name:
            return
        again = chosen if name == HANGS else [name]
        guilty = list(left)
        while len(guilty) > 1:
            half = guilty[: len(guilty) // 2]
            guilty = half if first_failing(place, half, again, tests)[0] else guilty[len(half) :]
        if first_failing(place, guilty, again, tests)[0]:
            left.remove(guilty[0])
            yield guilty[0], name
        else:  # only several of them together fail
            chosen = chosen[1:]


def pools_of(faults: Iterable[Fault]) -> list[list[Fault]]:
    """Return the faults in pools in which none changes what another one does."""
    pools: list[list[Fault]] = []
    for fault in faults:
        for pool in pools:
            if len(pool) < POOL and not any(fault.overlaps(other) for other in pool):
                pool.append(fault)
                break
        else:
            pools.append([fault])
    return pools


def run_faults(number: int, seed: int, jobs: int, revision: str, minutes: float) -> None:
    """Try random faults until the time is over; print which suite found how many of each kind."""
    tests = Tests()
    made = [Place(index, revision) for index in range(1, jobs + 1)]
    faults = choose(made[0].folder, number, seed)
    places: Queue[Place] = Queue()
    for place in made:
        places.put(place)
    started = time.monotonic()
    results = Results(WORK / f"{seed}.jsonl")

    def try_alone(fault: Fault) -> None:
        """Give a fault to the cheapest tests of `make test` that reach it."""
        if str(fault) in results.suite_of or time.monotonic() > started + 60 * minutes:
            return
        with _taken(places) as place:
            name, _ = first_failing(place, [fault], tests.reaching([fault])[0][:FIRST], tests)
        results.add(fault, "test" if name else LEFT, name)

    def try_pool(pool: Sequence[Fault]) -> None:
        """Give what is left to the other tests, first those of `make test`."""
        if time.monotonic() > started + 60 * minutes:
            return
        with _taken(places) as place:
            left = list(pool)
            for suite, chosen in zip(SUITES, tests.reaching(pool), strict=False):
                for fault, name in found_in_pool(place, left.copy(), chosen, tests):
                    left.remove(fault)
                    results.add(fault, suite, name)
        for fault in left:
            results.add(fault, "none", "" if any(tests.reaching([fault])) else "reached by no test")

    with ThreadPoolExecutor(jobs) as executor:
        list(executor.map(try_alone, faults))
        left = [fault for fault in faults if results.suite_of.get(str(fault)) == LEFT]
        list(executor.map(try_pool, pools_of(left)))
    counts = Counter((fault.kind, results.suite_of.get(str(fault), LEFT)) for fault in faults)
    _print_table(counts, f"seed {seed}, {time.monotonic() - started:.0f} s")


class Results:
    """Which suite found each fault, kept in a file as long as the map is older."""

    def __init__(self, file: Path) -> None:
        self._file = file
        if file.exists() and file.stat().st_mtime < REACHED.stat().st_mtime:
            file.unlink()
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        self.suite_of = {name: suite for name, suite, _ in map(json.loads, lines)}

    def add(self, fault: Fault, suite: str, test: str) -> None:
        self.suite_of[str(fault)] = suite
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps([str(fault), suite, test]) + "\n")
        if suite in {"soak", "none"}:
            print(f"{suite:5} {fault}  {test}", flush=True)


@contextmanager
def _taken(places: Queue[Place]) -> Iterator[Place]:
    place = places.get()
    try:
        yield place
    finally:
        places.put(place)


def _print_table(counts: Mapping[tuple[str, str], int], note: str) -> None:
    print(f"\n{'':20} test  soak  none  ({note})")
    rows = {kind: [counts.get((kind, suite), 0) for suite in SUITES] for kind in KINDS}
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    for name, row in rows.items():
        print(f"{name:20} {row[0]:4}  {row[1]:4}  {row[2]:4}")
    daily, soak, _ = rows["all"]
    if daily + soak:
        print(f"`make test` finds {daily / (daily + soak):.1%} of the faults that any test finds")


def main() -> None:
    """Make the map, or try faults."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("part", choices=("map", "run"))
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=600, help="try no more faults after that")
    parser.add_argument("--revision", default="HEAD", help="commit whose tests are run")
    options = parser.parse_args()
    if options.part == "map":
        make_map(options.jobs, options.revision)
    elif not REACHED.exists():
        parser.error("there is no map yet; run `python -m benchmarks.faults map` first")
    else:
        run_faults(options.number, options.seed, options.jobs, options.revision, options.minutes)


if __name__ == "__main__":
    main()
