import { formatSeconds } from '../../domain/duration.ts';
import type { CoAllocationAnswer, Payload, ReservationAnswer, SiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { followThing } from '../client/follow.ts';
import type { ForecastAnswer } from '../client/forecast-answers.ts';
import { failureOf } from '../failure.ts';
import { charges, percent } from '../render/objects.ts';
import { formatMoment } from '../render/time.ts';
import { readServerTime } from '../session.ts';
import type { Narrator } from './narrator.ts';
import { cameTooLate, mutate } from './patient-client.ts';
import { scriptOf } from './script-of.ts';
import type { Stage } from './stage.ts';

/** An either-or that stands. */
export interface EitherOr {
  readonly id: string;
}

type CoAllocateAnswer = Payload<'coAllocation', CoAllocationAnswer>;

const LEAD_SECONDS = 3 * 3600;
const SIZE = { processors: 16, walltimeSeconds: 1800 };
const FIRST_PROBABILITY = 0.9;
const LEAST_PROBABILITY = 0.3;
const MOST_QUESTIONS = 10;

/**
 * Asks for one of two sites, and asks for less after a refusal, for more where a single site is enough. Null when no
 * probability was found that takes both.
 */
export async function askEitherOr(
  stage: Stage,
  sites: readonly SiteAnswer[],
  narrator: Narrator,
): Promise<EitherOr | null> {
  const { memory } = stage;
  narrator.chapter(
    `An either-or: ${SIZE.processors} processors for ${formatSeconds(SIZE.walltimeSeconds)} in three hours, at one of two sites`,
  );
  const pair = await memory.decide('either-or-sites', () => busiestTwo(stage, sites));
  let [above, below] = [LEAST_PROBABILITY, 1];
  for (let index = 0; index < MOST_QUESTIONS; index++) {
    const probability = index === 0 ? FIRST_PROBABILITY : Math.round(((above + below) / 2) * 1000) / 1000;
    const group = await askOnce(stage, narrator, pair, probability, `either-or-${index}`);
    if (group === null) below = probability;
    if (group === null) continue;
    above = Math.max(probability, group.promisedProbability);
    if (group.legs.length > 1) {
      tellLegs(group, narrator);
      return group;
    }
    narrator.line(
      `${percent(probability)}: ${group.legs[0]?.site?.name} alone reaches it, so there is nothing to choose`,
    );
    const input = { id: group.id, idempotencyKey: `story-either-or-${index}-back` };
    await mutate(stage.client, DOCUMENTS.cancelCoAllocation, 'cancelCoAllocation', input);
  }
  narrator.line('no probability takes both sites today, so there is no either-or');
  return null;
}

interface NamedSite {
  readonly id: string;
  readonly name: string;
}

/** The two sites where the wait is longest, because at an idle one there is no doubt to hedge. */
async function busiestTwo({ client }: Stage, sites: readonly SiteAnswer[]): Promise<NamedSite[]> {
  const input = { ...SIZE, queue: null, user: null };
  const fitting = sites.filter(({ processors }) => processors >= SIZE.processors);
  const known = await Promise.all(
    fitting.map(async ({ id, name }) => {
      const variables = { siteId: id, input, within: LEAD_SECONDS };
      const { forecast } = await client.request<{ forecast: ForecastAnswer }>(DOCUMENTS.forecast, variables);
      return { id, name, inTime: forecast.probabilityWithin ?? 0 };
    }),
  );
  return known.sort((a, b) => a.inTime - b.inTime).slice(0, 2);
}

async function askOnce(
  stage: Stage,
  narrator: Narrator,
  pair: readonly NamedSite[],
  probability: number,
  name: string,
): Promise<CoAllocationAnswer | null> {
  const { client, memory } = stage;
  const startAt = await memory.decide(`${name}-at`, async () =>
    new Date((Math.ceil(await readServerTime(client)) + LEAD_SECONDS) * 1000).toISOString(),
  );
  const maxPaddingProcessorSeconds = SIZE.processors * LEAD_SECONDS;
  const script = scriptOf(SIZE.walltimeSeconds - 120);
  const leg = { ...SIZE, name: 'story-either-or', script, maxPaddingProcessorSeconds };
  const input = {
    ...{ rule: 'ANY', startAt, probability, idempotencyKey: `story-${name}` },
    legs: pair.map(({ id }) => ({ ...leg, siteIds: [id] })),
  };
  const answer = await memory.decide(name, () =>
    mutate<CoAllocateAnswer>(client, DOCUMENTS.coAllocate, 'coAllocate', input),
  );
  const failure = failureOf(answer.userErrors);
  if (cameTooLate(failure)) return askOnce(stage, narrator, pair, probability, `${name}-again`);
  if (failure && !failure.faults.every(({ code }) => code === 'PROMISE_REFUSED')) throw failure;
  const [refusal] = answer.userErrors;
  if (refusal) narrator.line(`refused with ${percent(probability)}: ${refusal.message}`);
  return answer.coAllocation;
}

function tellLegs({ legs, promisedProbability, startAt }: CoAllocationAnswer, narrator: Narrator): void {
  narrator.line(
    `promised with ${percent(promisedProbability)} for ${formatMoment(startAt)}, by two sites that alone would promise less:`,
  );
  for (const { site, promisedProbability: own, submitAt } of legs) {
    narrator.line(`${site?.name}: ${percent(own)} when submitted at ${formatMoment(submitAt ?? '')}`);
  }
}

/** Tells the life of both legs until the group and each of them are over. */
export async function followEitherOr(
  { client }: Stage,
  { id }: EitherOr,
  narrator: Narrator,
): Promise<CoAllocationAnswer> {
  const told = new Map<string, string>();
  let last: CoAllocationAnswer | null = null;
  for await (const thing of followThing(client, 'CoAllocation', id)) {
    if (thing.kind !== 'CoAllocation') continue;
    last = thing.value;
    for (const leg of last.legs) {
      if (isBetween(leg)) continue;
      const [moment, text] = describeLeg(leg);
      if (told.get(leg.id) !== text) narrator.event(moment, `either-or    ${leg.site?.name}: ${text}`);
      told.set(leg.id, text);
    }
    if (last.state !== 'PENDING' && !told.has(id)) {
      narrator.event(last.decidedAt, `either-or    ${last.state.toLowerCase()}`);
      told.set(id, last.state);
    }
  }
  if (!last) throw new Error(`co-allocation ${id} was never seen`);
  return last;
}

/** Its job is gone and what that means for the promise is not yet written down. */
function isBetween({ state, job }: ReservationAnswer): boolean {
  return job.state === 'ENDED' && !['KEPT', 'MISSED', 'CANCELLED'].includes(state);
}

function describeLeg({
  state,
  job,
  startAt,
  createdAt,
  decidedAt,
  charges: paid,
}: ReservationAnswer): [string, string] {
  const early = job.startedAt ? formatSeconds((Date.parse(startAt) - Date.parse(job.startedAt)) / 1000) : '';
  if (state === 'CANCELLED' && job.state === 'ENDED') {
    const price = charges(paid);
    return [
      job.endedAt ?? decidedAt ?? createdAt,
      `the other one won; cancelled, ${price ? `charged ${price}` : 'charged nothing'}`,
    ];
  }
  if (job.state === 'ENDED')
    return [job.endedAt ?? createdAt, `${state.toLowerCase()}, its job ${job.outcome?.toLowerCase()}`];
  switch (state) {
    case 'SUBMITTED':
      return [job.submittedAt ?? createdAt, 'submitted'];
    case 'HOLDING':
      return [job.startedAt ?? createdAt, `started ${early} early and holds its processors`];
    case 'KEPT':
      return [decidedAt ?? startAt, 'runs at the promised time'];
    case 'MISSED':
      return [decidedAt ?? startAt, 'was not running at the promised time'];
    default:
      return [createdAt, `${state.toLowerCase()}, not yet submitted`];
  }
}
