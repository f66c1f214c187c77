import type { ReservationMode } from '../../../src/domain/reservation.ts';
import { finish } from '../../../src/domain/steps.ts';
import { answerReplan, answerReservation } from '../../../src/forecast/answer.ts';
import type { ReservationQuestion } from '../../../src/forecast/forecaster.ts';
import { worthAsPromise } from '../../../src/forecast/margins.ts';
import { reservationQuestion } from '../../../src/forecast/reservation-question.ts';
import { SiteModel } from '../../../src/forecast/site-model.ts';
import { ownWalltimeShares } from '../../../src/forecast/walltime-use.ts';
import { marginAfter, type PromiseOutcome } from '../../../src/plan/aim.ts';
import { expectedCharge } from '../../../src/plan/charge.ts';
import { Cluster } from '../../../src/sim/cluster.ts';
import { clusterSnapshot, shownJob } from '../../../src/sim/cluster-snapshot.ts';
import { NOBODY } from '../../../src/sim/job-source.ts';
import { POLICIES } from '../../../src/sim/policy.ts';
import { RandomStream } from '../../../src/sim/random.ts';
import type { EndedWork } from '../../../src/store/own-work.ts';

/** A promise that was decided. */
export interface DecidedPromise {
  readonly mode: ReservationMode;
  readonly probability: number;
  readonly kept: boolean;
}

interface Promised {
  readonly work: DrawnWork;
  readonly probability: number;
  readonly holdPriceSeconds: number;
  submitAt: number;
  job: number;
}

/** What a site promises, or the most it would. */
export interface SiteOffer {
  readonly work: DrawnWork;
  readonly probability: number;
  readonly holdPriceSeconds: number;
  readonly submitAt: number;
  readonly isPromise: boolean;
  /** Expected, in processor-seconds. */
  readonly charge: number;
}

export interface DrawnWork {
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly runSeconds: number;
  readonly startAt: number;
  readonly mode: 'HOLD' | 'BEST_EFFORT';
}

export const FROM_AT = 1_000_000;
const SNAPSHOT_SECONDS = 10;
const RECOMPUTE_SECONDS = 15;
const HANDOVER_SECONDS = 5;
const SIZES = [1, 1, 1, 2, 2, 4, 8];
const MEAN_PROCESSOR_SECONDS = 65 * (SIZES.reduce((sum, size) => sum + size, 0) / SIZES.length);
/** Real systems take their time between jobs. */
const OVERHEAD = 1.05;
const TIDE_SECONDS = 1200;
const OPTIONS = { predictor: 'wait/gridcast', handoverSeconds: 10 };

/**
 * A site of which nothing is known at first, and whose load goes from half the machine to 1.3 times the machine and
 * back every twenty minutes: promises are made, looked at again, submitted and decided as the service does.
 */
export class YoungSite {
  readonly decided: DecidedPromise[] = [];
  private readonly random: RandomStream;
  private readonly changed = new Set<number>();
  private readonly cluster: Cluster;
  private readonly model = new SiteModel({ wait: [OPTIONS.predictor] });
  private readonly outcomes: PromiseOutcome[] = [];
  private readonly ended: EndedWork[] = [];
  private held: Promised[] = [];
  private queued: Promised[] = [];
  private now = FROM_AT;

  /** @param phase where in its tide it begins, within [0, 1) */
  constructor(
    seed: number,
    private readonly processors: number,
    private readonly phase: number,
  ) {
    this.random = new RandomStream(seed);
    const note = (job: number) => void this.changed.add(job);
    const options = { processors, policy: POLICIES.easy, fromAt: FROM_AT };
    this.cluster = new Cluster(options, { started: note, ended: note });
  }

  /** Lives through a second of other people's work and looks at the site when it is time. */
  bring(second: number): void {
    this.now = FROM_AT + second;
    this.bringNeighbour(second);
    this.cluster.advanceTo(this.now);
    if (second % SNAPSHOT_SECONDS === 0) this.observe();
  }

  /** Does what its promises need in a second. */
  keep(second: number): void {
    if (second % RECOMPUTE_SECONDS === 0) for (const promise of this.held) this.lookAgain(promise);
    this.submitDue();
    this.decideDue();
  }

  /** Its answer to somebody who wants that probability. */
  offer(work: DrawnWork, wanted: number): SiteOffer {
    const margin = marginAfter(wanted, this.outcomes);
    const { offer } = finish(answerReservation(this.model.view(), OPTIONS, this.questionOf(work, wanted)));
    const point = offer.kind === 'PROMISE' ? offer.point : offer.best;
    const isWithheld = offer.kind === 'REFUSAL' && offer.isWithheld;
    return {
      work,
      isPromise: offer.kind === 'PROMISE',
      probability: worthAsPromise(isWithheld ? 0 : (point?.probability ?? 0), wanted, margin),
      submitAt: point?.submitAt ?? 0,
      holdPriceSeconds: offer.kind === 'PROMISE' ? offer.holdPriceSeconds : 0,
      charge: offer.kind === 'PROMISE' ? expectedCharge(offer.charge) : 0,
    };
  }

  /** Holds to a promise that it offered. */
  take({ work, probability, holdPriceSeconds, submitAt }: SiteOffer): void {
    this.held.push({ work, probability, holdPriceSeconds, submitAt, job: -1 });
  }

  private bringNeighbour(second: number): void {
    const tide = (1 - Math.cos(2 * Math.PI * (second / TIDE_SECONDS + this.phase))) / 2;
    const arrivals = (OVERHEAD * (0.5 + 0.8 * tide) * this.processors) / MEAN_PROCESSOR_SECONDS;
    if (this.random.uniform() >= arrivals) return;
    const processors = this.pick(SIZES);
    const runSeconds = Math.round(10 + 110 * this.random.uniform());
    const walltimeSeconds = 60 * Math.ceil((runSeconds * (1.2 + 2 * this.random.uniform())) / 60);
    this.cluster.submit({ submitAt: this.now, processors, runSeconds, walltimeSeconds });
  }

  private observe(): void {
    for (const job of this.changed) {
      const { startAt, endAt } = this.momentsOf(job);
      if (startAt === null) continue;
      const outcome = endAt === null ? null : 'COMPLETED';
      this.model.learn({ ...shownJob(this.cluster, job, NOBODY), startAt, endAt, outcome });
    }
    this.changed.clear();
    this.model.observe(clusterSnapshot(this.cluster));
    this.model.expect([], ownWalltimeShares(this.ended));
  }

  private lookAgain(promise: Promised): void {
    const { work, probability, submitAt, holdPriceSeconds } = promise;
    const held = {
      ...this.questionOf(work, probability),
      executionId: '',
      probability,
      submitAt,
      latestSubmitAt: Number.POSITIVE_INFINITY,
      holdPriceSeconds,
    };
    promise.submitAt = finish(answerReplan(this.model.view(), OPTIONS, held)).point?.submitAt ?? submitAt;
  }

  private submitDue(): void {
    for (const promise of this.held.filter(({ submitAt }) => submitAt <= this.now)) {
      const { processors, walltimeSeconds, runSeconds, startAt, mode } = promise.work;
      const submitAt = this.now + HANDOVER_SECONDS;
      const hold = mode === 'HOLD' ? { holdUntilAt: startAt } : {};
      const padded = walltimeSeconds + (mode === 'HOLD' ? Math.max(0, startAt - this.now) : 0);
      promise.job = this.cluster.submit({ submitAt, processors, runSeconds, walltimeSeconds: padded, ...hold });
      this.queued.push(promise);
    }
    this.held = this.held.filter(({ submitAt }) => submitAt > this.now);
  }

  private decideDue(): void {
    for (const { work, probability, job } of this.queued.filter((promise) => promise.work.startAt <= this.now)) {
      const { startAt, endAt } = this.momentsOf(job);
      const kept = startAt !== null && startAt <= work.startAt && (endAt === null || endAt >= work.startAt);
      if (startAt === null) this.cluster.cancel(job);
      else this.ended.push(endedWork(work, startAt));
      this.outcomes.push({ probability, kept });
      this.decided.push({ mode: work.mode, probability, kept });
    }
    this.queued = this.queued.filter((promise) => promise.work.startAt > this.now);
  }

  private questionOf(work: DrawnWork, probability: number): ReservationQuestion {
    const terms = { ...work, probability, windowOpensAt: null, maxPaddingProcessorSeconds: null };
    return reservationQuestion(terms, null, marginAfter(probability, this.outcomes), this.now);
  }

  private momentsOf(job: number): { startAt: number | null; endAt: number | null } {
    const { startAt, endAt } = this.cluster.table.columns;
    const known = (at: number | undefined) => (at === undefined || Number.isNaN(at) ? null : at);
    return { startAt: known(startAt[job]), endAt: known(endAt[job]) };
  }

  private pick<Choice>(choices: readonly Choice[]): Choice {
    return choices[Math.floor(this.random.uniform() * choices.length)] as Choice;
  }
}

function endedWork({ mode, startAt, runSeconds, walltimeSeconds }: DrawnWork, startedAt: number): EndedWork {
  const endedAt = Math.max(startedAt, mode === 'HOLD' ? startAt : startedAt) + runSeconds;
  return { mode, startAt, windowOpensAt: null, startedAt, endedAt, walltimeSeconds };
}
