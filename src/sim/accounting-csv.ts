import type { JobOutcome, JobRecord } from '../domain/job.ts';
import type { JobUse } from '../domain/job-use.ts';
import { parseWalltime } from './walltime-text.ts';
import { type Remarks, remark } from './workload.ts';

/** A row of a log that names its columns, keys in lower case without anything but letters and digits. */
export type NamedRow = Readonly<Record<string, string | undefined>>;

/** What accounting tells of a job beside the numbers of SWF. What it does not tell is absent. */
export type ToldOfJob = Partial<Pick<JobRecord, 'nativeId' | 'account' | 'group' | 'program' | 'use' | 'outcome'>>;

/** How long a job ran and might have; null where that is not known. */
interface Limits {
  readonly ranSeconds: number | null;
  readonly requestedSeconds: number | null;
}

/**
 * Reads of a row of accounting with named columns what SWF has no place for: the job's own identifier, account, group,
 * name, how it ended, and what it used. What cannot be read is left out and counted by its reason.
 */
export function toldByAccounting(row: NamedRow, limits: Limits, remarks: Remarks): ToldOfJob {
  const text = (...names: string[]) => names.map((name) => row[name]?.trim()).find(Boolean);
  const [id, account, group, name] = [
    text('jobid', 'id'),
    text('account'),
    text('group', 'gid'),
    text('jobname', 'name'),
  ];
  const exit = row.exitstatus?.trim() ?? '';
  const outcome = /^-?\d+$/.test(exit) ? outcomeOfExit(Number(exit), limits) : undefined;
  if (exit !== '' && outcome === undefined) remark(remarks, 'exit status is no whole number, not read');
  const use = useOf(row, remarks);
  return {
    ...(id && { nativeId: id }),
    ...(account && { account }),
    ...(group && { group }),
    ...(name && {
      program: { name: name.slice(0, LONGEST_NAME), script: null, arguments: [], workFolder: null },
    }),
    ...(outcome && { outcome }),
    ...(use && { use }),
  };
}

/**
 * What Torque's exit status says. Above 256 a signal ended the job: `qdel` sends SIGTERM (271), and SIGKILL (265)
 * after it, but so do limits, so a job that had run for its whole walltime timed out. Below 0 Torque ended it: -10 to
 * -12 for exceeding memory, walltime and CPU time, -8 and -9 because its command or its output could not be opened,
 * and otherwise because its host failed to run it, which says nothing of the job. 1 to 256 is the script's own.
 */
export function outcomeOfExit(status: number, { ranSeconds, requestedSeconds }: Limits): JobOutcome {
  if (status === 0) return 'COMPLETED';
  if (status === -10) return 'OUT_OF_MEMORY';
  if (status === -11 || status === -12) return 'TIMEOUT';
  if (status === -8 || status === -9) return 'FAILED';
  if (status < 0) return 'NODE_FAIL';
  if (status !== 256 + SIGTERM && status !== 256 + SIGKILL) return 'FAILED';
  const usedUp = ranSeconds !== null && requestedSeconds !== null && ranSeconds >= requestedSeconds;
  return usedUp ? 'TIMEOUT' : 'CANCELLED';
}

function useOf(row: NamedRow, remarks: Remarks): JobUse | null {
  const use = {
    cpuSeconds: amount(row.usedcput ?? row.totalcpu, parseWalltime, 'CPU time', remarks),
    memoryBytes: amount(row.usedmem, parseBytes, 'memory', remarks),
    readBytes: amount(row.readbytes, parseBytes, 'bytes read', remarks),
    writtenBytes: amount(row.writtenbytes, parseBytes, 'bytes written', remarks),
  };
  return Object.values(use).every((value) => value === null) ? null : use;
}

function amount(
  value: string | undefined,
  parse: (text: string) => number | null,
  what: string,
  remarks: Remarks,
): number | null {
  const text = value?.trim() ?? '';
  if (text === '') return null;
  const amount = parse(text);
  if (amount === null) remark(remarks, `${what} used cannot be read, unknown`);
  return amount;
}

/** Bytes of `12`, `12b`, `12kb`, `12mb`, `12gb` or `12tb`, units of 1,024; null when it is none of them. */
function parseBytes(text: string): number | null {
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d+)?)\s*([kmgt]?)b?$/i.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * 1024 ** ' kmgt'.indexOf(unit.toLowerCase() || ' ');
}

const SIGKILL = 9;
const SIGTERM = 15;
const LONGEST_NAME = 1000;
