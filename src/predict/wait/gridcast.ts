import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../../domain/forecast.ts';
import { type StartedRecord, waitSeconds } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { WaitPredictor } from '../predictor.ts';
import { ChangePointHistory } from './change-point-history.ts';
import { Ibl } from './ibl.ts';
import { type ClassedWait, findJobClasses, type JobClasses, ONE_CLASS } from './job-classes.ts';
import { ObservedSeries } from './observed-series.ts';
import { QBETS_DEFAULTS, Qbets, type QbetsParameters } from './qbets.ts';
import { LOAD_CLASS_COUNT, loadClassFor, planLoad, type SiteLoad } from './site-load.ts';

/** How far ahead of the submission the load was looked at, in seconds. */
const HORIZONS_SECONDS = [0, 300, 1800, 7200, 21_600] as const;
/** Up to which lead each of them stands in. */
const HORIZON_ENDS_SECONDS = [60, 900, 3600, 14_400, 43_200] as const;

const SIMILAR_SHARE = 0.8;

interface LoadedWait extends ClassedWait {
  /** Class of the load at each horizon before the submission; -1 where it was not known. */
  readonly loadClasses: readonly number[];
}

/**
 * QBETS told apart once more by the site's state: by how long the job would wait if the queue were planned forward from the newest
 * snapshot (0, up to half an hour, two, six, eighteen hours, longer). The snapshot may be up to twelve hours older than the submission
 * asked for, and there is a history for each class of jobs, class of planned wait and lead; where that is short, or the
 * state unknown, it answers as QBETS does. So the forecast for a submission now is sharp, and that for one in some
 * hours as vague as the site is fickle, which is what a virtual reservation has to know while it waits.
 *
 * The point for a submission now is four parts instance-based learning and one part the median of the class, which on KTH-SP2 and
 * SDSC-SP2 errs less than either; for a later one it is the median.
 *
 * `predict` is O(steps of the plan); `learn` does five times the work of QBETS, and that of instance-based learning.
 */
export class Gridcast implements WaitPredictor {
  readonly name = 'wait/gridcast';
  readonly version: string;
  private readonly parameters: QbetsParameters;
  private readonly unconditional: Qbets;
  private readonly similar = new Ibl();
  private readonly series = new ObservedSeries<SiteLoad>();
  private classes: JobClasses = ONE_CLASS;
  private histories = new Map<number, ChangePointHistory>();
  private recent: LoadedWait[] = [];
  private learned = 0;
  private latest: { readonly state: Snapshot; readonly load: SiteLoad } | null = null;

  constructor(parameters: Partial<QbetsParameters> = {}) {
    this.parameters = { ...QBETS_DEFAULTS, ...parameters };
    this.unconditional = new Qbets(this.parameters);
    this.version = `2 ${this.unconditional.version} | ${this.similar.version}`;
  }

  observe(state: Snapshot): void {
    this.series.add(planLoad(state));
    this.similar.observe(state);
  }

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const unconditional = this.unconditional.predict(query, state, now);
    const forecast = { ...unconditional, predictor: this.name, version: this.version };
    const history = state === null ? undefined : this.historyFor(query, this.loadOf(state), now);
    if (!history?.isLongEnough) return forecast;
    return {
      ...forecast,
      sampleSize: history.size,
      pointSeconds: this.pointOf(query, state, now, history),
      quantileSeconds: history.percentileBounds(),
    };
  }

  learn(record: StartedRecord): void {
    this.unconditional.learn(record);
    this.similar.learn(record);
    const { processors, requestedWalltimeSeconds: walltimeSeconds, submitAt } = record;
    const loadClasses = HORIZONS_SECONDS.map((horizon) => {
      const load = this.series.newestUpTo(submitAt - horizon);
      return load ? loadClassFor(load, processors, walltimeSeconds ?? 0) : -1;
    });
    const wait = { processors, walltimeSeconds, waitSeconds: Math.max(0, waitSeconds(record)), loadClasses };
    this.learnWait(wait);
    this.recent.push(wait);
    if (++this.learned % this.parameters.regroupEvery === 0) this.regroup();
  }

  /** For a submission now mostly what similar jobs waited, which later submissions are too uncertain, and too many, to ask for. */
  private pointOf(query: WaitQuery, state: Snapshot | null, now: EpochSeconds, history: ChangePointHistory): number {
    const median = history.medianSeconds();
    if (query.submitAt - now > HORIZON_ENDS_SECONDS[0]) return median;
    const similar = this.similar.predict(query, state, now).pointSeconds;
    return SIMILAR_SHARE * similar + (1 - SIMILAR_SHARE) * median;
  }

  private loadOf(state: Snapshot): SiteLoad {
    if (this.latest?.state !== state) this.latest = { state, load: planLoad(state) };
    return this.latest.load;
  }

  private historyFor(query: WaitQuery, load: SiteLoad, now: EpochSeconds): ChangePointHistory | undefined {
    const horizon = HORIZON_ENDS_SECONDS.findIndex((end) => query.submitAt - now <= end);
    if (horizon < 0) return undefined;
    const jobClass = this.classes.classOf(query.processors, query.walltimeSeconds);
    const loadClass = loadClassFor(load, query.processors, query.walltimeSeconds);
    return this.histories.get(keyOf(jobClass, horizon, loadClass));
  }

  private learnWait(wait: LoadedWait): void {
    const jobClass = this.classes.classOf(wait.processors, wait.walltimeSeconds);
    wait.loadClasses.forEach((loadClass, horizon) => {
      if (loadClass < 0) return;
      const key = keyOf(jobClass, horizon, loadClass);
      let history = this.histories.get(key);
      if (!history) {
        history = new ChangePointHistory(this.parameters);
        this.histories.set(key, history);
      }
      history.learn(wait.waitSeconds);
    });
  }

  private regroup(): void {
    this.recent = this.recent.slice(-this.parameters.capacity);
    this.classes = findJobClasses(this.recent, this.parameters.smallestClass);
    this.histories = new Map();
    for (const wait of this.recent) this.learnWait(wait);
  }
}

function keyOf(jobClass: number, horizon: number, loadClass: number): number {
  return (jobClass * HORIZONS_SECONDS.length + horizon) * LOAD_CLASS_COUNT + loadClass;
}
