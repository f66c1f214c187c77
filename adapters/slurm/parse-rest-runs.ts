import { z } from 'zod';
import { largestTold } from '../shared/amounts.ts';
import { hasNodes } from './parse-listing.ts';
import { minutes, number, text } from './parse-rest.ts';
import { baseState, type SlurmJob } from './slurm-job.ts';
import { type StepUse, withSteps } from './use.ts';

const amounts = z.array(z.object({ type: z.string(), name: text, count: number }));
const total = z.object({ total: amounts.nullish() }).nullish();
/** What a step used stands, whatever it is called there, under `requested` (in) and `consumed` (out). */
const step = z.object({
  time: z.object({ elapsed: number, total: z.object({ seconds: number, microseconds: number }).nullish() }),
  tres: z.object({ requested: total, consumed: total, allocated: amounts.nullish() }).nullish(),
});

const accountingDocument = z.object({
  jobs: z
    .array(
      z.object({
        job_id: z.number(),
        array: z.object({ job_id: number, task_id: number }).nullish(),
        het: z.object({ job_id: number, job_offset: number }).nullish(),
        name: text,
        association: z.object({ user: text }).nullish(),
        user: text,
        partition: text,
        state: z.object({ current: z.string() }),
        required: z.object({ CPUs: number }).nullish(),
        tres: z.object({ allocated: amounts.nullish() }).nullish(),
        exit_code: z.object({ signal: z.object({ signal_id: number }).nullish() }).nullish(),
        time: z.object({ limit: number, submission: z.number(), start: number, end: number }),
        nodes: text,
        account: text,
        group: text,
        working_directory: text,
        steps: z.array(step).nullish(),
      }),
    )
    .nullish(),
});
type RestRun = NonNullable<z.output<typeof accountingDocument>['jobs']>[number];

/**
 * Reads the document of `/slurmdb/<version>/jobs`, without the runs of which slurmdbd has an end but no beginning yet.
 * @param sampleSeconds between two samples of what a step uses
 */
export function parseRestRuns(document: unknown, sampleSeconds: number): SlurmJob[] {
  const { jobs } = accountingDocument.parse(document);
  return (jobs ?? []).filter(({ partition }) => Boolean(partition)).map((run) => asRun(run, sampleSeconds));
}

function asRun(run: RestRun, sampleSeconds: number): SlurmJob {
  const allocated = run.tres?.allocated?.find(({ type }) => type === 'cpu')?.count;
  const job = {
    id: runId(run),
    name: run.name ?? '',
    user: run.user || run.association?.user || null,
    partition: run.partition || null,
    state: baseState(run.state.current),
    processors: allocated || run.required?.CPUs || 0,
    timeLimitSeconds: minutes(run.time.limit),
    priority: 0,
    submitAt: run.time.submission,
    startAt: run.time.start || null,
    endAt: run.time.end || null,
    hasNodes: hasNodes(run.nodes ?? ''),
    // Its exit codes are wrong: up to 22.05 a script that ended with 7 is shown as SUCCESS with 0.
    exitCode: run.state.current === 'COMPLETED' ? 0 : null,
    account: run.account || null,
    group: run.group || null,
    workFolder: run.working_directory || null,
    billing: countOf(run.tres?.allocated ?? [], 'billing'),
    gpus: countOf(run.tres?.allocated ?? [], 'gres', 'gpu') ?? 0,
    memoryMebibytes: countOf(run.tres?.allocated ?? [], 'mem'),
    signal: run.exit_code?.signal?.signal_id || null,
  };
  return withSteps(job, (run.steps ?? []).map(useOfStep), sampleSeconds);
}

function runId({ job_id, array, het }: RestRun): string {
  if (het?.job_id) return `${het.job_id}+${het.job_offset ?? 0}`;
  return array?.job_id ? `${array.job_id}_${array.task_id ?? 0}` : String(job_id);
}

/** The use of a step; null where its cluster gathers none. CPU time as a TRES is in milliseconds. */
function useOfStep({ time, tres }: z.output<typeof step>): StepUse | null {
  const into = tres?.requested?.total ?? [];
  if (into.length === 0) return null;
  const sampledMilliseconds = countOf(into, 'cpu');
  const { seconds, microseconds } = time.total ?? {};
  const mebibytes = countOf(tres?.allocated ?? [], 'mem');
  return {
    ranSeconds: time.elapsed ?? 0,
    cpuSeconds: largestTold([
      seconds === undefined || seconds === null ? null : seconds + (microseconds ?? 0) / 1e6,
      sampledMilliseconds === null ? null : sampledMilliseconds / 1000,
    ]),
    memoryBytes: countOf(into, 'mem'),
    readBytes: countOf(into, 'fs', 'disk'),
    writtenBytes: countOf(tres?.consumed?.total ?? [], 'fs', 'disk'),
    allocatedBytes: mebibytes === null ? null : mebibytes * 1024 ** 2,
  };
}

/** How much there is of a kind; null where it is not told, for which Slurm has very large numbers too. */
function countOf(all: z.output<typeof amounts>, type: string, name: string | null = null): number | null {
  const { count } = all.find((one) => one.type === type && (one.name || null) === name) ?? {};
  return typeof count === 'number' && count >= 0 && count <= Number.MAX_SAFE_INTEGER ? count : null;
}
