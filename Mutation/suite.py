"""The suite of tests as a program: what runs, how long it takes, and what fails first."""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time

SLOW = 0.5  # seconds; slower tests run only for mutants that all others let pass
CONCERNED = {  # the test targets that a change in a module concerns
    "KVSyntax": ["KVSyntaxTests", "KVExpansionTests"], "KVExpansion": ["KVExpansionTests"],
    "KVCore": ["KVCoreTests", "KVQueryTests", "KVBindingTests", "KVControllersTests", "KVModelTests", "KVTestSupportTests", "KVDocumentsTests", "KVDefinitionsTests",
        "KVFoundationTests"],
    "KVQuery": ["KVQueryTests", "KVCoreTests", "KVFoundationTests", "KVControllersTests", "KVBindingTests", "KVDefinitionsTests",
        "KVDocumentsTests"],
    "KVBinding": ["KVBindingTests", "KVControllersTests", "KVModelTests", "KVTestSupportTests", "KVCoreTests", "KVDefinitionsTests"],
    "KVControllers": ["KVControllersTests", "KVBindingTests", "KVDefinitionsTests"],
    "KVDocuments": ["KVDocumentsTests", "KVDefinitionsTests"], "KVDefinitions": ["KVDefinitionsTests"],
    "KVFoundation": ["KVFoundationTests", "KVBindingTests", "KVCoreTests", "KVDocumentsTests", "KVDefinitionsTests"],
    "KVTestSupport": ["KVTestSupportTests", "KVBindingTests", "KVModelTests", "KVDefinitionsTests"],
}
NEAR = {  # folders of Sources whose tests are in a folder of another name
    "KVCore/Accessors": "KVCoreTests/Access", "KVCore/ToMany": "KVCoreTests/Collections",
    "KVCore/Support": "KVCoreTests/Access", "KVCore/Unsafe": "KVCoreTests/Access",
    **{f"KVBinding/{room}": "KVBindingTests/Observing" for room in ("Reports", "Changes", "Registration", "Wave")},
    "KVSyntax": "KVSyntaxTests", "KVExpansion": "KVExpansionTests",
}
MEMORY = 12 << 30


class Outcome:
    """What a run of tests came to: the tests that failed, the last one that ran, and the time of each."""

    def __init__(self):
        self.failures, self.test, self.tests = [], "the start", {}


class Suite:
    def __init__(self, program, package):
        self.program, self.package = program, package
        self.tests = {}  # id: (seconds, folder)

    def near(self, folder):
        """The folder of tests of a folder of Sources."""
        for name, tests in NEAR.items():
            if folder == name or folder.startswith(name + "/"):
                return tests
        module, _, rest = folder.partition("/")
        return f"{module}Tests/{rest.split('/')[0]}"

    def phases(self, folder, slow):
        """The fast or slow tests that a change in a folder concerns, in the order in which they run."""
        module, near = folder.split("/")[0], self.near(folder)
        targets = CONCERNED[module]
        concerned = {test: spent for test, spent in self.tests.items() if test.split(".")[0] in targets}
        concerned = {test: place for test, (seconds, place) in concerned.items() if (seconds >= SLOW) == slow}
        first = [test for test, place in concerned.items() if (place + "/").startswith(near + "/")]
        rest = sorted(set(concerned) - set(first))
        own = [test for test in rest if test.startswith(module + "Tests.")]
        return [tests for tests in (first, own, sorted(set(rest) - set(own))) if tests]

    def measure(self, kept):
        """Runs all tests without a mutant, and notes how long each takes. Returns what fails twice.

        `kept` is a file with the result of an earlier run of the same program.
        """
        stamp = self.program.stat().st_mtime
        known = json.loads(kept.read_text()) if kept.exists() else {}
        if known.get("program") != stamp:
            outcome = self.run(None, 0, 3600, 600, goes_on=True)
            failed = [test for test in sorted(set(outcome.failures)) if self.run([test], 0, 600, 600).failures]
            xctest = self.run_xctest(0, 600)
            known = {"program": stamp, "tests": outcome.tests, "failed": failed + ([xctest] if xctest else [])}
            kept.write_text(json.dumps(known, indent=1))
        self.tests = known["tests"]
        return known["failed"]

    def first_failure(self, number, folder, slow):
        """The first failure of the fast or of the slow tests with a mutant; None if it survives them."""
        doubtful = None
        for tests in self.phases(folder, slow):
            spent = sum(self.tests[test][0] for test in tests)
            idle = 30 + 20 * max(self.tests[test][0] for test in tests)
            outcome = self.run(tests, number, 30 + 5 * spent, idle)
            if outcome.failures and not self.is_repeated(outcome, number):
                doubtful = doubtful or f"{outcome.failures[0]}, not every time"
                tests = [test for test in tests if test != outcome.test]
                outcome = self.run(tests, number, 30 + 5 * spent, idle)
            if outcome.failures:
                return outcome.failures[0]
        return doubtful or (None if slow else self.run_xctest(number, 60))

    def is_repeated(self, outcome, number):
        """Whether the test that failed does so again, alone, and only with the mutant."""
        if outcome.test not in self.tests:
            return True
        seconds = 30 + 5 * self.tests[outcome.test][0]
        return bool(self.run([outcome.test], number, seconds, seconds).failures
                    and not self.run([outcome.test], 0, seconds, 10 * seconds).failures)

    def run(self, tests, number, seconds, idle, goes_on=False):
        """Runs tests, all with None, until the first failure or `seconds` of processor time."""
        with tempfile.TemporaryDirectory() as folder:
            events = pathlib.Path(folder, "events.json")
            events.touch()
            command = [self.program, "--testing-library", "swift-testing", "--no-parallel",
                       "--event-stream-output-path", events, "--event-stream-version", "0"]
            for pattern in patterns(tests or []):
                command += ["--filter", pattern]
            process = start(command, number, seconds, self.package)
            try:
                return follow(process, events, 3 * seconds + 60, idle, goes_on)
            finally:
                stop(process)

    def run_xctest(self, number, seconds):
        process = start([self.program], number, seconds, self.package)
        try:
            return "XCTest" if process.wait(3 * seconds) else None
        except subprocess.TimeoutExpired:
            return "time in XCTest"
        finally:
            stop(process)


def patterns(tests):
    """Filters for tests: one for each suite."""
    suites = {}
    for test in tests:
        suite, _, name = test.rpartition("/")
        suites.setdefault(suite, []).append(re.escape(name))
    for suite, names in sorted(suites.items()):
        yield f"^{re.escape(suite)}/({'|'.join(names)})(/|$)" if suite else f"^({'|'.join(names)})(/|$)"


def start(command, number, seconds, folder):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = {**os.environ, "KV_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"}
    return subprocess.Popen([str(word) for word in command], env=environment, cwd=folder, preexec_fn=limit,
                            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def follow(process, events, seconds, idle, goes_on):
    """Reads the events of a run to the first failure, or to its end."""
    outcome, places, begun = Outcome(), {}, {}
    ended, rest = False, b""
    started = heard = time.monotonic()
    with events.open("rb") as stream:
        while True:
            is_over = process.poll() is not None
            chunk = stream.read()
            now = time.monotonic()
            heard = now if chunk else heard
            *lines, rest = (rest + chunk).split(b"\n")
            for event in map(json.loads, lines):
                payload = event["payload"]
                if event["kind"] == "test":
                    if payload["kind"] == "function":
                        places[bare(payload["id"])] = folder_of(payload["sourceLocation"]["_filePath"])
                    continue
                test = bare(payload.get("testID", ""))
                instant = payload.get("instant", {}).get("absolute", 0)
                if payload["kind"] == "testStarted" and test in places:
                    outcome.test, begun[test] = test, instant
                elif payload["kind"] == "testEnded" and test in places:
                    outcome.tests[test] = (instant - begun.get(test, instant), places[test])
                elif payload["kind"] == "issueRecorded" and not payload["issue"].get("isKnown"):
                    outcome.test = test if test in places else outcome.test
                    outcome.failures.append(outcome.test)
                    if not goes_on:
                        return outcome
                ended = ended or payload["kind"] == "runEnded"
            if is_over and not chunk:
                break
            if now - started > seconds or now - heard > idle:
                outcome.failures.append(f"time in {outcome.test}")
                return outcome
            time.sleep(0.03)
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        outcome.failures.append(f"time in {outcome.test}")
    elif not ended:
        outcome.failures.append(f"crash in {outcome.test}")
    return outcome


def bare(test):
    """The name of a test without its place."""
    return re.sub(r"/[^/]*\.swift:\d+:\d+$", "", test)


def folder_of(path):
    parts = pathlib.PurePath(path).parts
    at = max(index for index, part in enumerate(parts) if part == "Tests")
    return "/".join(parts[at + 1:-1])
