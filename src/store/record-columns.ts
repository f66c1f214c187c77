import type { JobRecord } from '../domain/job.ts';
import type { JobUse } from '../domain/job-use.ts';

/** A record as the table has it, moments in epoch seconds. */
export interface RecordColumns
  extends Omit<JobRecord, 'account' | 'group' | 'program' | 'use' | 'gpus' | 'memoryMebibytes'>,
    JobUse {
  readonly account: string | null;
  readonly group: string | null;
  readonly programName: string | null;
  readonly workFolder: string | null;
  readonly gpus: number | null;
  readonly memoryMebibytes: number | null;
}

/**
 * A record for the table. Names are cut to what is kept of them. Of a program its name and folder are kept: whole texts
 * are those of our own jobs, which are kept with these.
 */
export function toColumns({
  account,
  group,
  program,
  use,
  gpus,
  memoryMebibytes,
  ...record
}: JobRecord): RecordColumns {
  const { nativeId, submitAt, user, queue, processors, requestedWalltimeSeconds, startAt, endAt, outcome } = record;
  return {
    ...{ nativeId, submitAt, user, queue, processors, requestedWalltimeSeconds, startAt, endAt, outcome },
    account: kept(account),
    group: kept(group),
    programName: kept(program?.name),
    workFolder: kept(program?.workFolder),
    gpus: gpus ?? null,
    memoryMebibytes: memoryMebibytes ?? null,
    cpuSeconds: use?.cpuSeconds ?? null,
    memoryBytes: use?.memoryBytes ?? null,
    readBytes: use?.readBytes ?? null,
    writtenBytes: use?.writtenBytes ?? null,
  };
}

/** The record that a row tells; of what it does not tell nothing is there. */
export function asTold(row: RecordColumns): JobRecord {
  const { account, group, programName, workFolder, gpus, memoryMebibytes, ...rest } = row;
  const { cpuSeconds, memoryBytes, readBytes, writtenBytes, ...record } = rest;
  const use = { cpuSeconds, memoryBytes, readBytes, writtenBytes };
  return {
    ...record,
    ...(account !== null && { account }),
    ...(group !== null && { group }),
    ...((programName !== null || workFolder !== null) && {
      program: { name: programName, script: null, arguments: [], workFolder },
    }),
    ...(gpus !== null && { gpus }),
    ...(memoryMebibytes !== null && { memoryMebibytes }),
    ...(Object.values(use).some((value) => value !== null) && { use }),
  };
}

/** Names as PostgreSQL takes them: no NUL, no half of a surrogate pair, and no longer than a name is. */
function kept(name: string | null | undefined): string | null {
  return name?.slice(0, LONGEST_NAME).replace(/\0|\p{Surrogate}/gu, '\ufffd') ?? null;
}

const LONGEST_NAME = 1024;
