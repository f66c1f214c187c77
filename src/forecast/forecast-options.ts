import type { EpochSeconds } from '../domain/clock.ts';
import type { LiveRuntimeForecast, WaitForecast, WaitQuery } from '../domain/forecast.ts';
import { amountsOf } from '../domain/job.ts';
import { isPassing } from '../domain/loss-reason.ts';
import type { CandidateSite, PlanRequest } from '../domain/plan.ts';
import { askedAt } from '../domain/site-requests.ts';
import { findIneligibility } from '../plan/job/ineligible.ts';
import { basisOf, ownSizeOf, walltimeAtSize, withRuntime } from '../plan/job/molding.ts';
import { type ForecastOption, optionsOf, type ProposedOption, queueFor, requestAs } from '../plan/job/options.ts';
import { sizeAt } from '../plan/job/size-at-site.ts';
import { asRuntime, RUNTIME } from '../predict/quantities.ts';
import type { Forecaster } from './forecaster.ts';

/** An option with its forecast and the question that this answers. */
export interface AskedOption extends ForecastOption {
  readonly query: WaitQuery;
  /** Null where nobody was asked, because the option can never be taken. */
  readonly runtime: LiveRuntimeForecast | null;
  /** The question that the runtime answers: of an automatic walltime before it was chosen. */
  readonly work: WaitQuery;
  /** Whether it is submitted later because jobs of the same tenant are held back there; not so unless told. */
  readonly isHeldBehind?: boolean;
}

/** What a plan asks of a forecaster. */
export type PlanForecaster = Pick<Forecaster, 'forecastWaits' | 'forecastOthers' | 'knownWaits'>;

/**
 * The one question that a request is at a site, in the queue it would go to there, whoever asks it: plan, submitJob or
 * forecast.
 */
export function waitQueryAt(
  request: PlanRequest,
  site: CandidateSite,
  submitAt: EpochSeconds,
  user: string | null = null,
): WaitQuery {
  const { walltimeSeconds: requestedWalltimeSeconds, program } = request;
  const facts = queueFor(request, site);
  const { processors, ...size } = sizeAt(request, facts, site);
  const queue = facts?.name ?? null;
  const account = askedAt(request, site).terms?.account;
  const who = { user: user ?? site.identity?.user ?? null, ...(account !== undefined && { account }) };
  const job = { queue, processors, requestedWalltimeSeconds, ...who, ...amountsOf(size) };
  return { ...job, submitAt, ...(program && { program }) };
}

/** Every way to run a request at some sites, with what is forecast of it. */
export async function askOptions(
  forecaster: PlanForecaster,
  request: PlanRequest,
  sites: readonly CandidateSite[],
  now: EpochSeconds,
): Promise<AskedOption[]> {
  const known = await Promise.all(sites.map((site) => withKnownWaits(forecaster, request, site, now)));
  return forecastOptions(forecaster, optionsOf(request, known, now), request);
}

/** A site with what is known of its queues, where one of them is to be chosen. */
async function withKnownWaits(
  forecaster: Pick<PlanForecaster, 'knownWaits'>,
  request: PlanRequest,
  site: CandidateSite,
  now: EpochSeconds,
): Promise<CandidateSite> {
  const isNamed = askedAt(request, site).queue !== null;
  if (isNamed || site.queues.length < 2 || site.observedAt === null) return site;
  return { ...site, knownWaits: await forecaster.knownWaits(site.siteId, now) };
}

/**
 * The runtime and the wait of a request in each of the ways in which it may be run, in their order. Each site is asked
 * once for all its runtimes and once for all its waits. One whose walltime is automatic, or whose size is not the
 * stated one, gets its walltime before its wait is asked for; nobody is asked about one that can never be taken.
 */
export async function forecastOptions(
  forecaster: PlanForecaster,
  options: readonly ProposedOption[],
  request: PlanRequest,
): Promise<AskedOption[]> {
  const bySite = new Map<string, ProposedOption[]>();
  for (const option of options) {
    const { siteId } = option.site;
    bySite.set(siteId, [...(bySite.get(siteId) ?? []), option]);
  }
  const asked = await Promise.all([...bySite].map(([siteId, some]) => askSite(forecaster, siteId, some, request)));
  const found = new Map(asked.flat());
  return options.flatMap((option) => found.get(option) ?? []);
}

async function askSite(
  forecaster: PlanForecaster,
  siteId: string,
  options: readonly ProposedOption[],
  request: PlanRequest,
): Promise<[ProposedOption, AskedOption][]> {
  const sized = options.map((option) => ({ option, work: workOf(option, request) }));
  const runtimeOf = await askedOnce(
    sized.filter(({ option }) => mayBeTaken({ ...option, walltimeSeconds: 1 }, request)).map(({ work }) => work),
    async (works) => (await forecaster.forecastOthers(siteId, RUNTIME.name, works)).map(asRuntime),
  );
  const timed = sized.map(({ option, work }) => {
    const made = withRuntime(option, request, runtimeOf(work));
    const query = waitQueryAt(requestAs(made, request), option.site, option.submitAt);
    return { option, work, made, query };
  });
  const waitOf = await askedOnce(
    timed.filter(({ made }) => mayBeTaken(made, request)).map(({ query }) => query),
    (queries) => forecaster.forecastWaits(siteId, queries),
  );
  return timed.map(({ option, work, made, query }) => {
    const { runtime = null } = made;
    return [option, { ...made, query, work, runtime, forecast: waitOf(query) }];
  });
}

/**
 * The job whose runtime is asked for: as it would be handed in; where a model tells what another size makes of it, at
 * the stated one. Of an automatic walltime with what is known of that before it is chosen.
 */
function workOf(option: ProposedOption, request: PlanRequest): WaitQuery {
  const { site, submitAt } = option;
  const basis = basisOf(option, request);
  const { auto } = request;
  const isOwn = basis === 'HISTORY';
  const processors = isOwn ? option.processors : request.processors;
  const at = { ...option, processors };
  const stated = auto ? auto.atMostSeconds : request.walltimeSeconds;
  const requestedWalltimeSeconds = stated === null ? null : walltimeAtSize(at, request, stated);
  const user = isOwn ? (ownSizeOf(site, processors)?.user ?? null) : null;
  return { ...waitQueryAt(requestAs(at, request), site, submitAt, user), processors, requestedWalltimeSeconds };
}

/** Whether an option may be taken, now or later, as far as that can be told without a forecast. */
function mayBeTaken(option: ProposedOption, request: PlanRequest): boolean {
  if (option.ruledOut || basisOf(option, request) === 'NOTHING') return false;
  const why = findIneligibility(requestAs(option, request), option.site, option.submitAt, Number.POSITIVE_INFINITY);
  return why === null || isPassing(why.reason);
}

/**
 * Asks each question once, all of them together, and nobody when there is none; what was not asked is null. They are of
 * one request, and so of one program.
 */
async function askedOnce<Answer extends LiveRuntimeForecast | WaitForecast>(
  queries: readonly WaitQuery[],
  ask: (queries: WaitQuery[]) => Promise<Answer[]>,
): Promise<(query: WaitQuery) => Answer | null> {
  const unique = new Map(queries.map((query) => [nameOf(query), query]));
  const answers = unique.size === 0 ? [] : await ask([...unique.values()]);
  const known = new Map([...unique.keys()].map((key, index) => [key, answers[index] ?? null]));
  return (query) => known.get(nameOf(query)) ?? null;
}

function nameOf({ program: _program, ...query }: WaitQuery): string {
  return JSON.stringify(query);
}
