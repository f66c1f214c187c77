import type { StartedRecord } from '../../domain/job.ts';
import { BASELINE_CAPACITY, PointPredictor } from './point-predictor.ts';

/** Predicts the mean of the recent waits of the site. */
export class MeanWait extends PointPredictor {
  readonly name = 'baseline/mean';
  private readonly waits: number[] = [];
  private next = 0;
  private sum = 0;

  protected override pointSeconds(): number | null {
    return this.waits.length === 0 ? null : Math.max(0, this.sum / this.waits.length);
  }

  protected override absorb(_record: StartedRecord, waitSeconds: number): void {
    this.sum += waitSeconds - (this.waits[this.next] ?? 0);
    this.waits[this.next] = waitSeconds;
    this.next = (this.next + 1) % BASELINE_CAPACITY;
  }
}
