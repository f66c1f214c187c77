import type { LiveRuntimeForecast, WaitForecast } from '../domain/forecast.ts';
import { waitQueryAt } from '../forecast/forecast-options.ts';
import { queueFor } from '../plan/job/options.ts';
import { type AdvisedWalltime, walltimeAtRisk } from '../plan/job/walltime.ts';
import type { Ineligibility } from '../plan/unusable.ts';
import type { Principal } from '../store/principals.ts';
import { asCandidate, type SiteRow } from '../store/sites.ts';
import { loadStanding, type Standing } from '../store/standing.ts';
import type { CommandContext } from './carry-out/context.ts';
import { forecastRuntime } from './forecast-runtime.ts';
import { FaultList } from './input/faults.ts';
import { checkProgram, checkSize, type ProgramInput, type SizeInput, toProgram } from './input/work-input.ts';
import { checkRisk } from './offers/advised-walltimes.ts';
import { allowedSites } from './offers/eligible-sites.ts';
import { findImpossibility } from './offers/impossibility.ts';

/** A job that wants to know which walltime would do. */
export interface WalltimeAdviceInput extends Omit<SizeInput, 'walltimeSeconds'>, ProgramInput {
  /** What it would ask for otherwise; null where nobody knows. */
  readonly walltimeSeconds: number | null;
  /** At the site; null for nobody in particular. */
  readonly user: string | null;
  readonly siteIds: readonly string[];
  /** Probabilities of being killed, each asked for by itself. */
  readonly risks: readonly number[];
}

/** The walltime that is advised at one risk, and the wait with it. */
export interface AdviceAtRisk extends AdvisedWalltime {
  readonly risk: number;
  /** Null where no walltime is advised. */
  readonly wait: WaitForecast | null;
}

/** What one site answers: advice at each risk, or why it could never run such a job. */
export interface AdviceAtSite {
  readonly site: SiteRow;
  readonly runtime: LiveRuntimeForecast | null;
  /** The wait with the requested walltime; null where there is none, or the queue does not allow it. */
  readonly requestedWait: WaitForecast | null;
  readonly advice: readonly AdviceAtRisk[];
  readonly impossible: Ineligibility | null;
}

/**
 * Which walltime to ask for at each site, and how long the job would wait with it. Changes nothing.
 * @throws CallerError when the input is invalid or there is no such site
 */
export async function walltimeAdvice(
  context: CommandContext,
  { tenantId }: Principal,
  input: WalltimeAdviceInput,
): Promise<AdviceAtSite[]> {
  const faults = new FaultList();
  checkSize(faults, { ...input, walltimeSeconds: input.walltimeSeconds ?? ANY_SECONDS }, 'input', context.limits);
  checkProgram(faults, input, 'input', context.limits);
  const { length } = input.risks;
  faults.require(length > 0 && length <= MOST_RISKS, 'input.risks', `give 1 to ${MOST_RISKS} risks, got ${length}`);
  for (const [index, risk] of input.risks.entries()) checkRisk(faults, risk, `input.risks[${index}]`);
  faults.assertNone();
  const sites = await allowedSites(context.database.db, input, 'input');
  const standing = await loadStanding(context.database.db, tenantId, context.clock.now());
  return Promise.all(sites.map((site) => adviceAt(context, standing, site, input)));
}

async function adviceAt(
  context: CommandContext,
  standing: Standing,
  site: SiteRow,
  input: WalltimeAdviceInput,
): Promise<AdviceAtSite> {
  const { clock, forecaster } = context;
  const now = clock.now();
  const { walltimeSeconds: requestedSeconds, user, risks } = input;
  const size = { ...input, walltimeSeconds: ANY_SECONDS };
  const impossible = findImpossibility(site, standing, size, now);
  if (impossible) return { site, runtime: null, requestedWait: null, advice: [], impossible };
  const candidate = asCandidate(site, standing);
  const limitSeconds = queueFor(size, candidate)?.maxWalltimeSeconds ?? null;
  const job = waitQueryAt({ ...size, deadlineAt: null, ...toProgram(input) }, candidate, now, user);
  const work = { ...job, processors: input.processors, requestedWalltimeSeconds: requestedSeconds };
  const runtime = await forecastRuntime(context, site.id, work);
  const advised = risks.map((risk) => ({ risk, ...walltimeAtRisk(runtime, risk, { requestedSeconds, limitSeconds }) }));
  const asked = requestedSeconds !== null && requestedSeconds <= (limitSeconds ?? requestedSeconds);
  const wanted = [
    ...(asked ? [requestedSeconds] : []),
    ...advised.flatMap(({ walltimeSeconds }) => walltimeSeconds ?? []),
  ];
  const walltimes = [...new Set(wanted)];
  const queries = walltimes.map((requestedWalltimeSeconds) => ({ ...job, requestedWalltimeSeconds }));
  const forecasts = queries.length === 0 ? [] : await forecaster.forecastWaits(site.id, queries);
  const waits = new Map(walltimes.map((walltime, index) => [walltime, forecasts[index] ?? null]));
  const waitWith = (walltime: number | null) => (walltime === null ? null : (waits.get(walltime) ?? null));
  const advice = advised.map((made) => ({ ...made, wait: waitWith(made.walltimeSeconds) }));
  return { site, runtime, requestedWait: waitWith(requestedSeconds), advice, impossible: null };
}

/** For a job whose walltime does not matter: any queue allows it. */
const ANY_SECONDS = 1;
const MOST_RISKS = 20;
