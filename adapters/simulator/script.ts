import type { OutputStream } from '../../src/domain/job-output.ts';

/** What a simulated site makes of a job script. */
export interface ScriptBehaviour {
  /** The job holds its processors until then before its run begins; null when it begins at once. */
  readonly holdUntilAt: number | null;
  /** The run begins only when the job is told to; it gives up after so long. Absent where it does not wait for that. */
  readonly gateSeconds?: number;
  readonly runSeconds: number;
  readonly exitCode: number;
  /** What it writes; absent where it writes nothing. */
  readonly says?: readonly Saying[];
}

/** A line that a job writes, so long after its run has begun. */
export interface Saying {
  readonly afterSeconds: number;
  readonly stream: OutputStream;
  readonly text: string;
}

const SHORTEST_RUN_SECONDS = 1;

/**
 * Reads how long a script would run, what it would write and how it would end, from five kinds of lines:
 * `GRIDCAST_HOLD_UNTIL=<epoch seconds>` (held until then), `GRIDCAST_GATE_SECONDS=<seconds>` (waits so long to be told
 * to begin), `sleep N` or `sleep $((N / GRIDCAST_PROCESSORS))` (their sum is the run time; a script without any ends in
 * a second; those inside loops belong to the hold's preamble and do not count), `echo WORDS` or `echo WORDS >&2` (a
 * line of output; the first 64 KiB count), `exit N` (the exit code).
 * @param processors that the job was given
 */
export function readScript(script: string, processors: number): ScriptBehaviour {
  let holdUntilAt: number | null = null;
  let gateSeconds: number | null = null;
  let runSeconds = 0;
  let exitCode = 0;
  let loopDepth = 0;
  const says: Saying[] = [];
  for (const line of script.split('\n')) {
    const hold = /^\s*(?:export\s+)?GRIDCAST_HOLD_UNTIL=["']?(\d+(?:\.\d+)?)/.exec(line);
    if (hold) holdUntilAt = Number(hold[1]);
    const gate = /^\s*GRIDCAST_GATE_SECONDS=(\d+)/.exec(line);
    if (gate) gateSeconds = Number(gate[1]);
    if (/^\s*(?:while|until|for)\b/.test(line)) loopDepth++;
    if (loopDepth === 0) {
      const sleep = /^\s*sleep\s+(\d+(?:\.\d+)?)\b/.exec(line);
      if (sleep) runSeconds += Number(sleep[1]);
      const shared = /^\s*sleep\s+\$\(\(\s*(\d+)\s*\/\s*\$?GRIDCAST_PROCESSORS\s*\)\)/.exec(line);
      if (shared) runSeconds += Math.floor(Number(shared[1]) / processors);
      const saying = readSaying(line, runSeconds);
      if (saying) says.push(saying);
      const exit = /^\s*exit\s+(\d+)\b/.exec(line);
      if (exit) {
        exitCode = Number(exit[1]);
        break;
      }
    }
    if (loopDepth > 0 && /(?:^|[\s;])done\b/.test(line)) loopDepth--;
  }
  const run = {
    ...{ holdUntilAt, runSeconds: Math.max(SHORTEST_RUN_SECONDS, runSeconds), exitCode },
    ...(says.length > 0 && { says: firstBytes(says) }),
  };
  return gateSeconds === null ? run : { ...run, gateSeconds };
}

function readSaying(line: string, afterSeconds: number): Saying | null {
  const [, words, toError] = /^\s*echo(?:\s+(.*?))?\s*(>&2)?\s*$/.exec(line) ?? [];
  if (words === undefined && !/^\s*echo\s*$/.test(line)) return null;
  const [, , quoted] = /^(["'])(.*)\1$/.exec(words ?? '') ?? [];
  return { afterSeconds, stream: toError ? 'STDERR' : 'STDOUT', text: `${quoted ?? words ?? ''}\n` };
}

function firstBytes(says: readonly Saying[]): Saying[] {
  let left = MOST_OUTPUT_BYTES;
  return says.filter(({ text }) => {
    left -= Buffer.byteLength(text);
    return left >= 0;
  });
}

const MOST_OUTPUT_BYTES = 64 * 1024;
