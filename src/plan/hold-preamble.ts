import type { EpochSeconds } from '../domain/clock.ts';
import { hereDocument, interpreterOf, MAKE_TEMPORARY_FILE, wrapperShell } from '../domain/script-text.ts';
import { shellWords } from '../domain/shell-word.ts';

/**
 * Wraps a script so that it begins no earlier than `holdUntilAt`, whenever its job starts. The result is a POSIX sh
 * script that sleeps until then and runs the payload, by the interpreter its first line names or /bin/sh, with the same
 * arguments, standard streams and environment. It ends with the payload's exit status, 128 + n when signal n ended it,
 * 125 when the payload could not be laid down in a temporary file (in TMPDIR or /tmp, removed afterwards).
 *
 * HUP, INT, QUIT, TERM, USR1, USR2, ALRM and CONT are passed on to the payload. During the hold HUP, INT, QUIT and TERM
 * end the job and the others have nobody to take them.
 *
 * The payload is text of the wrapper's, between two lines that occur nowhere in it, and is expanded by nobody. A last
 * line without a line feed gets one. One of the first lines is `GRIDCAST_HOLD_UNTIL=<integer epoch seconds>`, for
 * whoever simulates the job.
 * @param holdUntilAt rounded up to a whole second
 * @throws RangeError when the script contains a NUL character, which no shell script can
 */
export function withHoldPreamble(script: string, holdUntilAt: EpochSeconds): string {
  return wrapped(script, [`GRIDCAST_HOLD_UNTIL=${Math.ceil(holdUntilAt)}`, LEAVE, HOLD]);
}

/**
 * The same for a script that begins only when its job is told to, by the signal URG, and gives up when that has not
 * come `gateSeconds` after the job's start: then it ends with 75 and nothing of the payload has run. Nobody else sends
 * that signal, and who is not ready for it ignores it: one that comes before the gate is there is lost and has to be
 * repeated, and one too many does no harm. It is not passed on, and the payload begins with it ignored.
 *
 * One of the first lines is `GRIDCAST_GATE_SECONDS=<integer seconds>`, for whoever simulates the job.
 * @param gateSeconds rounded up to a whole second
 * @throws RangeError when the script contains a NUL character
 */
export function withGatePreamble(script: string, gateSeconds: number): string {
  return wrapped(script, [`GRIDCAST_GATE_SECONDS=${Math.ceil(gateSeconds)}`, LEAVE, GATE]);
}

/**
 * The same for a script that begins at once and finds its number among the tasks of its array in `GRIDCAST_TASK_INDEX`.
 * @param taskIndex a whole number from 0 on
 * @throws RangeError when it is none, or the script contains a NUL character
 */
export function withTaskIndex(script: string, taskIndex: number): string {
  if (!Number.isSafeInteger(taskIndex) || taskIndex < 0) throw new RangeError(`${taskIndex} is no index of a task`);
  return wrapped(script, [`GRIDCAST_TASK_INDEX=${taskIndex}`, 'export GRIDCAST_TASK_INDEX', LEAVE]);
}

/** Exit status of a job that gave up waiting at its gate. */
export const GATE_EXIT_CODE = 75;

function wrapped(script: string, preamble: readonly string[]): string {
  if (script.includes('\0')) throw new RangeError('a script cannot contain a NUL character');
  const payload = hereDocument(script);
  return [
    `#!${wrapperShell(script).join(' ')}`,
    ...preamble,
    LAY_DOWN,
    `cat > "$gridcast_payload" ${payload.redirection} || exit 125`,
    payload.lines,
    runPayload(interpreterOf(script)),
    '',
  ].join('\n');
}

const LEAVE = `
gridcast_sleeper=
gridcast_leave() {
  [ -z "$gridcast_sleeper" ] || kill "$gridcast_sleeper" 2>/dev/null
  exit "$1"
}
trap 'gridcast_leave 129' HUP
trap 'gridcast_leave 130' INT
trap 'gridcast_leave 131' QUIT
trap 'gridcast_leave 143' TERM
trap : USR1 USR2 ALRM`.trim();

const HOLD = `
while gridcast_left=$((GRIDCAST_HOLD_UNTIL - $(date +%s))) && [ "$gridcast_left" -gt 0 ]; do
  sleep "$gridcast_left" &
  gridcast_sleeper=$!
  wait "$gridcast_sleeper"
  kill "$gridcast_sleeper" 2>/dev/null
done`.trim();

/**
 * It listens only while it waits: bash does not read on rightly where a signal is handled meanwhile, and loses the
 * status of a payload that ends then. It looks every few seconds, too, for a signal that comes before it listens wakes
 * nobody.
 */
const GATE = `
gridcast_gate() {
  gridcast_open=
  gridcast_shut_at=$(($(date +%s) + GRIDCAST_GATE_SECONDS))
  while [ -z "$gridcast_open" ]; do
    [ "$(date +%s)" -lt "$gridcast_shut_at" ] || gridcast_leave ${GATE_EXIT_CODE}
    sleep 5 &
    gridcast_sleeper=$!
    trap gridcast_open=1 URG
    wait "$gridcast_sleeper"
    trap '' URG
    kill "$gridcast_sleeper" 2>/dev/null
  done
}
gridcast_gate`.trim();

const LAY_DOWN = `
gridcast_sleeper=
gridcast_payload=$(${MAKE_TEMPORARY_FILE}) || exit 125
trap 'rm -f "$gridcast_payload"' EXIT`.trim();

/**
 * The payload runs in the background, because only then is a signal handled while the shell waits; under job control
 * (`set -m`) because otherwise a shell lets its background commands ignore INT and QUIT; where a shell has no job
 * control without a terminal (dash), GNU env resets them, and where that is too old INT and QUIT do not reach the
 * payload. A signal that comes before the payload is there is kept for it. `wait` is repeated after each signal; its
 * 127 then means that it had already given the status. In bash a signal that comes in the very moment in which the
 * payload ends may hide its status: the job then ends with 255.
 */
function runPayload(interpreter: readonly string[]): string {
  return `
gridcast_run() {
  gridcast_before=$!
  gridcast_early=
  gridcast_pass() {
    gridcast_signalled=1
    if [ "$!" = "$gridcast_before" ]; then gridcast_early=$1; else kill -s "$1" "$!" 2>/dev/null; fi
  }
  for gridcast_signal in HUP INT QUIT TERM USR1 USR2 ALRM CONT; do
    trap "gridcast_pass $gridcast_signal" "$gridcast_signal"
  done
  exec 3<&0
  set -m 2>/dev/null
  gridcast_reset='env --default-signal=INT,QUIT'
  case $- in
    *m*) gridcast_reset= ;;
    *) $gridcast_reset true 2>/dev/null || gridcast_reset= ;;
  esac
  $gridcast_reset ${shellWords(interpreter)} "$gridcast_payload" "$@" <&3 3<&- &
  gridcast_child=$!
  set +m
  exec 3<&-
  [ -z "$gridcast_early" ] || kill -s "$gridcast_early" "$gridcast_child" 2>/dev/null
  gridcast_status=
  while :; do
    gridcast_signalled=
    wait "$gridcast_child"
    gridcast_now=$?
    [ "$gridcast_now" -eq 127 ] && [ -n "$gridcast_status" ] && break
    gridcast_status=$gridcast_now
    [ -n "$gridcast_signalled" ] || kill -0 "$gridcast_child" 2>/dev/null || break
  done
  exit "$gridcast_status"
}
gridcast_run "$@"`.trim();
}
