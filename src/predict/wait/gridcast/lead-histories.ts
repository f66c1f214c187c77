import type { EpochSeconds } from '../../../domain/clock.ts';
import type { WaitQuery } from '../../../domain/forecast.ts';
import { plannedWalltimeSeconds, type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { ChangePointHistory, type ChangePointParameters } from '../change-point-history.ts';
import { type ClassedWait, findJobClasses, type JobClasses, ONE_CLASS } from '../job-classes.ts';
import { MadeOfState } from '../made-of-state.ts';
import type { QbetsParameters } from '../qbets.ts';
import { LOAD_CLASS_COUNT, loadClassFor, planLoad } from '../site-load.ts';
import { LEADS_SECONDS, LoadsBefore } from './loads-before.ts';

/** Up to which lead each of `LEADS_SECONDS` stands in. */
const LEAD_ENDS_SECONDS = [60, 900, 3600, 14_400, 43_200] as const;

/**
 * Percentiles are stated as likely too high as too low: who makes a promise on them aims above it by what the outcomes
 * taught, and caution on top of that would be paid for in charge.
 */
const STATED_CONFIDENCE = 0.5;

/** A class, or that it is not known. */
const LOADS = LOAD_CLASS_COUNT + 1;

interface LoadedWait extends ClassedWait {
  /**
   * Class of the load at each lead before the submission, one more than it, as digits of one number: a list of each of
   * thousands of waits would take most of what they take.
   */
  readonly loads: number;
}

/**
 * The histories of QBETS told apart once more by the site's state some time before the submission, planned forward to
 * the moment of the submission: by how much of the machine would then be left over, or by how long the job would wait.
 * There is one for each class of jobs, class of load and lead, so that the forecast for a submission in some hours is
 * as vague as the site is fickle. `learn` does five times the work of QBETS.
 */
export class LeadHistories {
  private readonly before = new LoadsBefore();
  private classes: JobClasses = ONE_CLASS;
  private histories = new Map<number, ChangePointHistory>();
  private recent: LoadedWait[] = [];
  private learned = 0;
  private readonly loads = new MadeOfState(planLoad);

  private readonly parameters: ChangePointParameters & QbetsParameters;

  constructor(parameters: QbetsParameters) {
    this.parameters = { ...parameters, statedConfidence: STATED_CONFIDENCE };
  }

  /**
   * @param state all that the site shows
   * @param present the same without the jobs that only stand in the queue
   */
  observe(state: Snapshot, present: Snapshot): void {
    this.before.observe(state, planLoad(present));
  }

  learn(record: StartedRecord): void {
    const { processors, requestedWalltimeSeconds: walltimeSeconds } = record;
    const loads = this.before.take(record).reduce((digits, loadClass) => LOADS * digits + loadClass + 1, 0);
    const wait = { processors, walltimeSeconds, waitSeconds: Math.max(0, waitSeconds(record)), loads };
    this.learnWait(wait);
    this.recent.push(wait);
    if (++this.learned % this.parameters.regroupEvery === 0) this.regroup();
  }

  /**
   * The history that speaks for a submission; undefined where there is none or it is too short to bound anything.
   * O(steps of the plan).
   */
  historyFor(query: WaitQuery, state: Snapshot, now: EpochSeconds): ChangePointHistory | undefined {
    const lead = LEAD_ENDS_SECONDS.findIndex((end) => query.submitAt - now <= end);
    if (lead < 0) return undefined;
    const { processors, requestedWalltimeSeconds, submitAt } = query;
    const jobClass = this.classes.classOf(processors, requestedWalltimeSeconds);
    const loadClass = loadClassFor(this.loads.of(state), processors, plannedWalltimeSeconds(query), submitAt);
    const history = this.histories.get(keyOf(jobClass, lead, loadClass));
    return history?.isLongEnough ? history : undefined;
  }

  private learnWait(wait: LoadedWait): void {
    const jobClass = this.classes.classOf(wait.processors, wait.walltimeSeconds);
    LEADS_SECONDS.forEach((_, lead) => {
      const loadClass = (Math.floor(wait.loads / LOADS ** (LEADS_SECONDS.length - 1 - lead)) % LOADS) - 1;
      if (loadClass < 0) return;
      const key = keyOf(jobClass, lead, loadClass);
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

function keyOf(jobClass: number, lead: number, loadClass: number): number {
  return (jobClass * LEADS_SECONDS.length + lead) * LOAD_CLASS_COUNT + loadClass;
}
