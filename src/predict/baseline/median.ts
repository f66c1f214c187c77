import type { StartedRecord } from '../../domain/job.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import { BASELINE_CAPACITY, PointPredictor } from './point-predictor.ts';

/** Predicts the median of the recent waits of the site; the lower one when there are two. */
export class MedianWait extends PointPredictor {
  readonly name = 'baseline/median';
  private readonly waits = new SlidingSample(BASELINE_CAPACITY);

  protected override pointSeconds(): number | null {
    return this.waits.size === 0 ? null : this.waits.at(Math.ceil(this.waits.size / 2));
  }

  protected override absorb(_record: StartedRecord, waitSeconds: number): void {
    this.waits.add(waitSeconds);
  }
}
