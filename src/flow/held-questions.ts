import type { EpochSeconds } from '../domain/clock.ts';
import type { CandidateSite } from '../domain/plan.ts';
import type { Program } from '../domain/program.ts';
import { candidateFor } from '../forecast/asked-job.ts';
import type { HeldQuestion } from '../forecast/forecaster.ts';
import type { Margins } from '../forecast/margins.ts';
import { questionAt } from '../forecast/reservation-question.ts';
import { latestSubmitAt } from '../plan/replan.ts';
import type { Db } from '../store/database.ts';
import { readPrograms } from '../store/executions.ts';
import type { HeldPromise } from '../store/held-promises.ts';
import { resourcesOf } from '../store/plan-requests.ts';
import type { SiteRow } from '../store/sites.ts';

/** A look at promises that wait. */
export interface HeldLook {
  readonly now: EpochSeconds;
  /** From one to the next. */
  readonly lookSeconds: number;
}

/** What is asked of promises that wait for their submission to one site, each as the user of its own tenant there. */
export async function heldQuestions(
  db: Db,
  site: SiteRow,
  held: readonly HeldPromise[],
  margins: Margins,
  look: HeldLook,
): Promise<HeldQuestion[]> {
  const programs = await readPrograms(db, held);
  const asked = held.map(async (promise, n) => {
    return questionOf(await candidateFor(db, promise, site), promise, programs[n], margins, look);
  });
  return Promise.all(asked);
}

function questionOf(
  candidate: CandidateSite,
  held: HeldPromise,
  program: Program | undefined,
  margins: Margins,
  { now, lookSeconds }: HeldLook,
): HeldQuestion {
  const { executionId, probability, submitAt, holdPriceSeconds } = held;
  const queue = candidate.queues.find(({ name }) => name === held.siteQueue) ?? null;
  const terms = { ...held, resources: resourcesOf(held), program };
  const question = questionAt(terms, queue, candidate, marginOf(held, margins), now);
  const latest = latestSubmitAt({ ...held, priceSeconds: holdPriceSeconds }, lookSeconds);
  return { ...question, executionId, probability, submitAt, latestSubmitAt: latest, holdPriceSeconds };
}

/** How far above a promise to aim; certainty has a price unless it is a leg's. */
export function marginOf({ probability, holdPriceSeconds }: HeldPromise, margins: Margins): number {
  return holdPriceSeconds === null ? margins.ofLeg(probability) : margins.alone(probability);
}
