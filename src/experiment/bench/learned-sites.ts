import { invariant } from '../../domain/failures.ts';
import type { CandidateSite } from '../../domain/plan.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { tell } from '../../predict/past/tell.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import type { RuntimePredictor, WaitPredictor } from '../../predict/predictor.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor, createWaitPredictor } from '../../predict/registry.ts';
import { simulatedRecords } from './simulated-records.ts';

/** Predictors that have learned a past, and what its site said last. */
export interface LearnedPast {
  readonly wait: WaitPredictor;
  readonly runtime: RuntimePredictor;
  readonly states: readonly Snapshot[];
}

/** A site as it is now, and who forecasts it. */
export interface LearnedSite extends Omit<LearnedPast, 'states'> {
  readonly site: CandidateSite;
  readonly state: Snapshot;
}

/**
 * A site that is planned for, which shares its past with others where there are more sites than pasts, in a state of
 * its own.
 * @param observedAt as which moment the planner takes that state
 */
export function siteOf(number: number, learned: readonly LearnedPast[], observedAt: number): LearnedSite {
  const { states, ...predictors } = learned[number % learned.length] as LearnedPast;
  const state = states[Math.floor(number / learned.length) % states.length] as Snapshot;
  const name = `site${number}`;
  const facts = { siteId: name, name, state: 'ACTIVE', processors: PROCESSORS, queues: [], observedAt } as const;
  return { site: facts, ...predictors, state };
}

/** New predictors that are told the whole past of a generated site. */
export function learnPast(seed: number, jobs: number): LearnedPast {
  const records = simulatedRecords(seed, jobs, PROCESSORS);
  const wait = createWaitPredictor('wait/gridcast');
  const runtime = createPredictor(RUNTIME, 'runtime/gridcast');
  const states: Snapshot[] = [];
  // From when on nothing arrives any more: what a site says then is not what a busy one says.
  const lastAt = records.at(-1)?.submitAt ?? 0;
  for (const sight of watchPast(records, { processors: PROCESSORS, snapshotSeconds: SNAPSHOT_SECONDS })) {
    tell(wait, sight);
    tell(runtime, sight);
    if (sight.kind === 'snapshot' && sight.state.observedAt <= lastAt) states.push(sight.state);
  }
  invariant(states.length > 0, 'the generated site was never looked at');
  return { wait, runtime, states: states.slice(-MOST_STATES) };
}

const PROCESSORS = 128;
const SNAPSHOT_SECONDS = 600;
const MOST_STATES = 10;
