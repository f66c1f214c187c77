import { type AccountedRun, heldProcessorSeconds } from './accounted-run.ts';
import type { ToldExecution } from './told-execution.ts';

/** One thing in which Gridcast and a site's accounting differ. */
export interface Mismatch {
  readonly what:
    | 'LOST'
    | 'DOUBLED'
    | 'UNKNOWN_JOB'
    | 'STATE'
    | 'OUTCOME'
    | 'START'
    | 'END'
    | 'EXIT_CODE'
    | 'CHARGE'
    | 'PROMISE';
  readonly site: string;
  readonly executionId: string | null;
  readonly nativeId: string | null;
  readonly told: string;
  readonly accounted: string;
}

/** How much was compared, and what differs. */
export interface Comparison {
  readonly executions: number;
  readonly nativeRuns: number;
  readonly mismatches: readonly Mismatch[];
}

/** Moments are told and accounted in whole seconds by some systems. */
const ROUNDING_SECONDS = 1;

/** Holds every execution against the accounting of the sites, job by job. */
export function compare(
  executions: readonly ToldExecution[],
  runsBySite: ReadonlyMap<string, readonly AccountedRun[]>,
): Comparison {
  const runs = [...runsBySite].flatMap(([site, ofSite]) => ofSite.map((run) => ({ ...run, site })));
  const byKey = new Map<string, RunAtSite[]>();
  for (const run of runs) if (run.key !== null) byKey.set(run.key, [...(byKey.get(run.key) ?? []), run]);
  const known = new Set(executions.flatMap(({ submissions }) => submissions.map(({ key }) => key)));
  const strangers = runs.filter(({ key }) => key !== null && !known.has(key));
  const mismatches = [
    ...strangers.map(({ site, nativeId, key }) => ({
      ...at(site, null, nativeId),
      what: 'UNKNOWN_JOB' as const,
      told: 'no such submission',
      accounted: `a job with the key ${key}`,
    })),
    ...executions.flatMap((execution) => compareOne(execution, byKey)),
  ];
  return { executions: executions.length, nativeRuns: runs.length - strangers.length, mismatches };
}

type RunAtSite = AccountedRun & { readonly site: string };

function compareOne(execution: ToldExecution, byKey: ReadonlyMap<string, readonly RunAtSite[]>): Mismatch[] {
  const runs = execution.submissions.flatMap(({ key }) => byKey.get(key) ?? []);
  const last = execution.submissions.at(-1);
  const finalRun = (last && byKey.get(last.key)?.findLast(({ putBack }) => !putBack)) ?? null;
  return [
    ...doubles(execution, byKey),
    ...(finalRun ? compareLast(execution, finalRun) : losses(execution)),
    ...compareCharge(execution, runs),
  ];
}

function doubles(execution: ToldExecution, byKey: ReadonlyMap<string, readonly RunAtSite[]>): Mismatch[] {
  return execution.submissions.flatMap(({ key, site }) => {
    const ids = new Set(byKey.get(key)?.map(({ nativeId, site: where }) => `${where}:${nativeId}`));
    const accounted = [...ids].join(', ');
    return ids.size > 1
      ? [{ ...at(site.name, execution.id, null), what: 'DOUBLED' as const, told: key, accounted }]
      : [];
  });
}

/** A job that never started may have left no trace in accounting; one that did must have. */
function losses({ id, site, nativeId, startedAt, outcome }: ToldExecution): Mismatch[] {
  if (startedAt === null && outcome !== 'COMPLETED' && outcome !== 'FAILED') return [];
  const told = `${outcome ?? 'not ended'}, started ${startedAt ?? 'never'}`;
  return [{ ...at(site?.name ?? '', id, nativeId), what: 'LOST', told, accounted: 'no such job' }];
}

function compareLast(execution: ToldExecution, run: RunAtSite): Mismatch[] {
  const where = at(run.site, execution.id, run.nativeId);
  if (execution.state !== 'ENDED' || run.state !== 'ENDED') {
    return execution.state === run.state || (execution.state === 'QUEUED' && run.state === 'WAITING')
      ? []
      : [{ ...where, what: 'STATE', told: execution.state, accounted: run.state }];
  }
  const [startedAt, endedAt] = [epochOf(execution.startedAt), epochOf(execution.endedAt)];
  const faults: Mismatch[] = [];
  const note = (what: Mismatch['what'], told: unknown, accounted: unknown) =>
    faults.push({ ...where, what, told: String(told), accounted: String(accounted) });
  if (execution.outcome !== run.outcome) note('OUTCOME', execution.outcome, run.outcome);
  if (differ(startedAt, run.startAt)) note('START', startedAt, run.startAt);
  if (run.endAt !== null && differ(endedAt, run.endAt)) note('END', endedAt, run.endAt);
  if (run.exitCode !== null && execution.exitCode !== run.exitCode) note('EXIT_CODE', execution.exitCode, run.exitCode);
  return [...faults, ...comparePromise(execution, run, where)];
}

type Where = Pick<Mismatch, 'site' | 'executionId' | 'nativeId'>;

/**
 * A promise is kept when its job held processors at the moment that was promised. Accounting knows seconds: of a job
 * that ended in the second that was promised it does not tell which.
 */
function comparePromise({ promise }: ToldExecution, { startAt, endAt }: AccountedRun, where: Where): Mismatch[] {
  if (!promise || (promise.state !== 'KEPT' && promise.state !== 'MISSED')) return [];
  const promisedAt = epochOf(promise.startAt) ?? 0;
  if (endAt === promisedAt) return [];
  const ran = startAt !== null && startAt <= promisedAt && (endAt === null || endAt > promisedAt);
  if (ran === (promise.state === 'KEPT')) return [];
  const accounted = `ran from ${startAt} to ${endAt}, promised for ${promisedAt}`;
  return [{ ...where, what: 'PROMISE', told: promise.state, accounted }];
}

function compareCharge(execution: ToldExecution, runs: readonly RunAtSite[]): Mismatch[] {
  if (execution.state !== 'ENDED') return [];
  const told = execution.charges.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
  const accounted = runs.reduce((sum, run) => sum + heldProcessorSeconds(run), 0);
  const tolerance = runs.reduce((sum, { processors }) => sum + processors * ROUNDING_SECONDS, 0);
  if (Math.abs(told - accounted) <= tolerance) return [];
  const where = at(execution.site?.name ?? '', execution.id, execution.nativeId);
  return [{ ...where, what: 'CHARGE', told: told.toFixed(0), accounted: accounted.toFixed(0) }];
}

function at(site: string, executionId: string | null, nativeId: string | null): Where {
  return { site, executionId, nativeId };
}

function differ(told: number | null, accounted: number | null): boolean {
  if (told === null || accounted === null) return told !== accounted;
  return Math.abs(told - accounted) > ROUNDING_SECONDS;
}

function epochOf(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment) / 1000;
}
