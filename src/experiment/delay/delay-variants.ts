import type { EndedRecord } from '../../domain/job.ts';
import { LEAST_REDUCTION } from '../../plan/job/delay.ts';
import type { RuntimePredictor, SiteListener, WaitPredictor } from '../../predict/predictor.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor, createWaitPredictor, WAIT_PREDICTORS } from '../../predict/registry.ts';
import { settingsFor } from '../told-settings.ts';
import type { JobRange } from './delay-figures.ts';
import type { DelayJudge } from './delayed-submissions.ts';
import { ForecastRuntimes, type RuntimesOfJobs, TRUE_RUNTIMES } from './job-runtimes.ts';
import { judgeBlindly, judgeByLead, judgeByPlan, judgeByStateThen } from './judges.ts';
import { MoldedSizes } from './molded-sizes.ts';

/** A way to decide, with those who have to be told what happens at the site. */
export interface DelayVariant {
  readonly judge: DelayJudge;
  readonly leastReduction: number;
  readonly listeners: readonly SiteListener[];
  /** Null where the true runtimes are known. */
  readonly runtimes: ForecastRuntimes | null;
  /** What jobs are handed in as; null for as they come. */
  readonly sizes: MoldedSizes | null;
}

/** What every variant of a run has in common. */
export interface DelayOptions {
  /** Whose forecasts of runtimes count where the true ones do not. */
  readonly runtimes: string;
  readonly settings: string;
  readonly range: JobRange;
  readonly seed: number;
}

/** Ways to forecast a submission then and now that need no predictor of waits. */
const OWN_WAYS: ReadonlyMap<string, (runtimes: RuntimesOfJobs) => DelayJudge> = new Map([
  ['plan', judgeByPlan],
  ['blind', judgeBlindly],
]);

/** As predictors of waits are asked: about the state then, or how long it is until then. */
const ASKED = new Map([
  ['then', judgeByStateThen],
  ['lead', judgeByLead],
]);

/**
 * A variant by its name, `WAY[/true][@PERCENT]`: `plan`, `blind`, or `then:PREDICTOR` and `lead:PREDICTOR` of a
 * predictor of waits; with true runtimes; with another threshold than the paper's. `molding` gives jobs other sizes and
 * holds nobody back, `molding+plan` does both.
 * @throws RangeError for a name that is none
 */
export function delayVariant(
  name: string,
  { runtimes: runtimePredictor, settings, range, seed }: DelayOptions,
): DelayVariant {
  const [, way = '', knows, percent] = /^(.+?)(\/true)?(?:@(\d{1,2}))?$/.exec(name) ?? [];
  const leastReduction = percent === undefined ? LEAST_REDUCTION : Number(percent) / 100;
  const predictor = knows ? null : runtimesBy(runtimePredictor, settings);
  const runtimes = predictor && new ForecastRuntimes(predictor);
  const known: RuntimesOfJobs = runtimes ?? TRUE_RUNTIMES;
  const ownWay = OWN_WAYS.get(way);
  const base = { leastReduction, runtimes, sizes: null };
  if (runtimes && predictor && (way === MOLDING || way === `${MOLDING}+plan`)) {
    const sizes = new MoldedSizes(runtimes, range, seed);
    const judge = sizes.judge(judgeByPlan(runtimes));
    const listeners = [predictor, { ended: (record: EndedRecord) => sizes.ended(record) }];
    return { ...base, judge, listeners, sizes, leastReduction: way === MOLDING ? NEVER : leastReduction };
  }
  if (ownWay) return { ...base, judge: ownWay(known), listeners: predictor ? [predictor] : [] };
  const [how = '', waitName = ''] = way.split(':');
  const asked = ASKED.get(how);
  if (!asked || !WAIT_PREDICTORS.has(waitName)) throw noVariant(name);
  const waits: WaitPredictor = createWaitPredictor(waitName, settingsFor(waitName, settings));
  return { ...base, judge: asked(waits, known), listeners: predictor ? [waits, predictor] : [waits] };
}

const MOLDING = 'molding';
/** No response is that much lower. */
const NEVER = 1;

function runtimesBy(name: string, settings: string): RuntimePredictor {
  return createPredictor(RUNTIME, name, settingsFor(name, settings));
}

function noVariant(name: string): RangeError {
  const ways = [
    ...OWN_WAYS.keys(),
    MOLDING,
    `${MOLDING}+plan`,
    ...Array.from(ASKED.keys(), (how) => `${how}:PREDICTOR`),
  ].join(', ');
  return new RangeError(
    `delay has no variant ${name}; there are ${ways}, each with /true and @PERCENT after it or not`,
  );
}
