import { existsSync, readFileSync } from 'node:fs';
import type { GridEngineCell } from '../gridengine/cell.ts';
import { type AccountedRun, keyIn } from './accounted-run.ts';

/** Fields of accounting(5), from 0. */
const [OWNER, NAME, NUMBER, START, END, FAILED, EXIT, SLOTS] = [3, 4, 5, 9, 10, 11, 12, 34];
const PUT_BACK = new Set([24, 25]);
/** As the wrapper of a job tells what a cell would take for a command. */
const TOLD_AS = new Map([
  [227, 99],
  [228, 100],
]);

/** Every run of a user's jobs in a cell's accounting file. */
export function gridEngineRuns(cell: GridEngineCell, user: string): AccountedRun[] {
  const file = cell.files.accounting;
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'))
    .filter((fields) => fields[OWNER] === user)
    .map(runOf);
}

function runOf(fields: readonly string[]): AccountedRun {
  const [failed, exitStatus] = [Number(fields[FAILED]), Number(fields[EXIT])];
  const [startAt, endAt] = [momentOf(fields[START]), momentOf(fields[END])];
  const walltimeSeconds = Number(/\bh_rt=(\d+)/.exec(fields.join(':'))?.[1] ?? Number.POSITIVE_INFINITY);
  const ranItsTime = startAt !== null && endAt !== null && endAt - startAt >= walltimeSeconds;
  const outcome = outcomeOf(failed, exitStatus, ranItsTime);
  const hasExited = outcome === 'COMPLETED' || outcome === 'FAILED';
  return {
    nativeId: fields[NUMBER] ?? '',
    key: keyIn(fields[NAME] ?? ''),
    state: 'ENDED',
    putBack: PUT_BACK.has(failed),
    outcome,
    processors: Number(fields[SLOTS]),
    startAt,
    endAt,
    exitCode: startAt !== null && hasExited ? (TOLD_AS.get(exitStatus) ?? exitStatus) : null,
  };
}

/** `failed` 100 says that a signal ended it; which one, and after how long, tells why. */
function outcomeOf(failed: number, exitStatus: number, ranItsTime: boolean): string {
  if (failed === 0) return exitStatus === 0 ? 'COMPLETED' : 'FAILED';
  if (failed === 37 || (failed === 100 && ranItsTime)) return 'TIMEOUT';
  return failed === 100 && exitStatus === 137 ? 'CANCELLED' : 'FAILED';
}

function momentOf(epoch: string | undefined): number | null {
  const seconds = Number(epoch);
  return seconds > 0 ? seconds : null;
}
