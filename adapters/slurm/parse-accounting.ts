import { parseBytes } from '../shared/amounts.ts';
import { countOfTres, memoryOfTres } from './parse-equipment.ts';
import { hasNodes, orNull, parseEnd, parseEpoch, parseMarked } from './parse-listing.ts';
import { baseState, type SlurmJob } from './slurm-job.ts';
import { type StepUse, useOfTres, withSteps } from './use.ts';

/** What sacct is asked for, in the order of `parseAccounting`. */
export const ACCOUNTING_FIELDS = [
  ...['JobID', 'User', 'Partition', 'State', 'AllocCPUS', 'ReqCPUS', 'TimelimitRaw'],
  ...['Submit', 'Start', 'End', 'NodeList', 'ExitCode', 'JobName', 'Account', 'Group', 'WorkDir'],
  ...['AllocTRES', 'TotalCPU', 'MaxRSS', 'TRESUsageInTot', 'TRESUsageOutTot'],
] as const;

/**
 * Reads sacct's listing of ACCOUNTING_FIELDS with SLURM_TIME_FORMAT=%s: the runs of jobs, each perhaps followed by its
 * steps, which alone have what it used. For some seconds after a short job slurmdbd has an end without a beginning: a
 * row without partition, owner and name. Such rows are left out; they are complete the next time.
 * @param sampleSeconds between two samples of what a step uses
 */
export function parseAccounting(text: string, mark: string, sampleSeconds: number): SlurmJob[] {
  const runs: { job: SlurmJob; steps: (StepUse | null)[] }[] = [];
  for (const fields of parseMarked(text, mark, ACCOUNTING_FIELDS.length) as Row[]) {
    const [id] = fields;
    const dot = id.indexOf('.');
    const last = runs.at(-1);
    if (dot < 0) runs.push({ job: runOf(fields), steps: [] });
    else if (last?.job.id === id.slice(0, dot)) last.steps.push(stepOf(fields));
  }
  const complete = runs.filter(({ job }) => job.partition !== null);
  return complete.map(({ job, steps }) => withSteps(job, steps, sampleSeconds));
}

function runOf(fields: Row): SlurmJob {
  const [id, user, partition, state, allocated, required, limit, submit, start, end, ...others] = fields;
  const [nodes, exitCode, name, account, group, workFolder, tres] = others;
  return {
    id,
    name,
    user: orNull(user),
    partition: orNull(partition),
    state: baseState(state),
    processors: Number(allocated) || Number(required),
    timeLimitSeconds: /^\d+$/.test(limit) ? Number(limit) * 60 : null,
    priority: 0,
    submitAt: Number(submit),
    startAt: parseEpoch(start),
    endAt: parseEpoch(end),
    hasNodes: hasNodes(nodes),
    ...parseCutEnd(exitCode, state),
    billing: countOfTres(tres, 'billing'),
    gpus: countOfTres(tres, 'gres/gpu') ?? 0,
    memoryMebibytes: memoryOfTres(tres),
    account: orNull(account),
    group: orNull(group),
    workFolder: orNull(workFolder),
  };
}

/** sacct takes 128 from a status that has as much: a script that failed with 0 had 128, one with 9 perhaps 137. */
function parseCutEnd(text: string, state: string): ReturnType<typeof parseEnd> & Pick<SlurmJob, 'otherExitCode'> {
  const end = parseEnd(text);
  if (end.exitCode === null || baseState(state) !== 'FAILED') return end;
  return end.exitCode === 0 ? { ...end, exitCode: 128 } : { ...end, otherExitCode: end.exitCode + 128 };
}

function stepOf(fields: Row): StepUse | null {
  const [, , , , , , , , start, end] = fields;
  const [allocated, totalCpu, maxRss, usageIn, usageOut] = fields.slice(-5) as [string, string, string, string, string];
  const ranSeconds = Math.max(0, (parseEpoch(end) ?? 0) - (parseEpoch(start) ?? 0));
  const use = useOfTres(totalCpu, maxRss, usageIn, usageOut, parseEpoch(start) === null ? 0 : ranSeconds);
  return use && { ...use, allocatedBytes: parseBytes(/(?:^|,)mem=([^,]+)/.exec(allocated)?.[1]) };
}

type Row = [
  ...[string, string, string, string, string, string, string, string, string, string],
  ...[string, string, string, string, string, string, string, string, string, string, string],
];
