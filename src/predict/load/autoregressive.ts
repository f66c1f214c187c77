import type { SubmittedJob } from '../../domain/job.ts';
import { yuleWalker } from '../../stats/yule-walker.ts';
import type { LoadModel } from './load-model.ts';
import { RecentAmounts } from './recent-amounts.ts';
import { SLOTS_PER_DAY } from './slots.ts';
import { TRAINING_DEFAULTS, Training } from './training.ts';

/** `fixed`: eq. 7, without a mean of its own. `adaptive`: eq. 9, around a mean that follows. */
export const AUTOREGRESSIVE_MEANS = ['fixed', 'adaptive'] as const;

export const AUTOREGRESSIVE_NEGATIVES = ['cut', 'kept'] as const;

export const AUTOREGRESSIVE_DEFAULTS = {
  ...TRAINING_DEFAULTS,
  /** How many slots back it looks. */
  order: 35,
  mean: 'fixed' as (typeof AUTOREGRESSIVE_MEANS)[number],
  /** How much of the adaptive mean is kept from slot to slot. */
  kept: 0.99,
  /** What becomes of an expectation below 0, which eq. 7 allows: `cut` to 0, or `kept` as the paper prints it. */
  negative: 'cut' as (typeof AUTOREGRESSIVE_NEGATIVES)[number],
};
export type AutoregressiveParameters = typeof AUTOREGRESSIVE_DEFAULTS;

/** The baselines of dinh-per-user-workload-prediction: AR(p) by Yule-Walker, and the same around an adaptive mean. */
export class Autoregressive implements LoadModel {
  private readonly recent: RecentAmounts;
  private readonly training: Training;
  private sample: number[] = [];
  private coefficients: readonly number[] = [];
  private mean = 0;
  private meanSlot: number | null = null;

  constructor(private readonly parameters: AutoregressiveParameters = AUTOREGRESSIVE_DEFAULTS) {
    this.recent = new RecentAmounts(parameters.order);
    this.training = new Training(parameters);
  }

  submitted({ processors }: SubmittedJob, slot: number): void {
    this.recent.set(slot, this.recent.at(slot) + processors);
  }

  slotEnded(slot: number, processors: number): void {
    this.mean = this.meanBefore(slot) * this.parameters.kept + processors * (1 - this.parameters.kept);
    this.meanSlot = slot;
    if (this.training.isOver) return;
    this.sample.push(processors);
    if (this.sample.length > LONGEST_SAMPLE) this.sample = this.sample.slice(-LONGEST_SAMPLE / 2);
    if (!this.training.isDueAfter(slot)) return;
    this.coefficients = yuleWalker(this.sample, this.parameters.order);
    if (this.training.isOver) this.sample = [];
  }

  expectedIn(slot: number): number {
    const isAdaptive = this.parameters.mean === 'adaptive';
    const { order } = this.parameters;
    const level = isAdaptive ? this.recent.sumUntil(slot - 1, order) / order : 0;
    let sum = isAdaptive ? this.meanBefore(slot) : 0;
    this.coefficients.forEach((coefficient, i) => {
      sum += coefficient * (this.recent.at(slot - 1 - i) - level);
    });
    return this.parameters.negative === 'cut' ? Math.max(0, sum) : sum;
  }

  cycleAt(): number {
    return 1;
  }

  /** Of the slots before this one, the unfinished one among them. */
  private meanBefore(slot: number): number {
    if (this.meanSlot === null) return 0;
    const { kept } = this.parameters;
    const unfinished = this.meanSlot + 1;
    const passed = Math.max(0, slot - unfinished);
    const newest = passed === 0 ? 0 : this.recent.at(unfinished) * (1 - kept) * kept ** (passed - 1);
    return this.mean * kept ** passed + newest;
  }
}

/** Two years of slots. */
const LONGEST_SAMPLE = 2 * 365 * SLOTS_PER_DAY;
