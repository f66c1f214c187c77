import type { StartedRecord } from '../../domain/job.ts';
import { PointPredictor } from './point-predictor.ts';

/** Predicts that a job waits as long as the one that started last. */
export class LastWait extends PointPredictor {
  readonly name = 'baseline/last';
  private last: number | null = null;

  protected override pointSeconds(): number | null {
    return this.last;
  }

  protected override absorb(_record: StartedRecord, waitSeconds: number): void {
    this.last = waitSeconds;
  }
}
