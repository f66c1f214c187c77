import type { WaitForecast } from '../../domain/forecast.ts';
import type { JobRecord } from '../../domain/job.ts';
import { tellsLevels, type WaitScore, WaitScorer } from '../../predict/wait-scores.ts';
import { type ClassContext, calibrationClassesOf } from './calibration-classes.ts';
import { type ClassCalibration, ClassCalibrations } from './class-calibration.ts';

/** A job without a requested walltime, or with a very long one, is taken to run for an hour. */
const USUAL_RUN_SECONDS = 3600;

/** Everything that a row of the wait experiment rests on. */
export interface WaitRowScore {
  readonly score: WaitScore;
  /** Large classes only, the worst first. */
  readonly classes: readonly ClassCalibration[];
  /** In seconds, of all jobs that were added, in their order; not finite where there was no answer or no wait. */
  readonly absoluteErrors: Float64Array;
}

/** Collects the forecasts of one row with what became of their jobs, in the order of submission. */
export class WaitScoring {
  private readonly scorer = new WaitScorer();
  private readonly classes = new ClassCalibrations();
  private readonly absoluteErrors: Float64Array;
  private taken = 0;

  /** @param jobs how many will be added */
  constructor(
    private readonly context: ClassContext,
    jobs: number,
  ) {
    this.absoluteErrors = new Float64Array(jobs).fill(Number.NaN);
  }

  /** Jobs that never started have no wait and are left out. */
  add(forecast: Pick<WaitForecast, 'pointSeconds' | 'quantileSeconds'>, record: JobRecord): void {
    const index = this.taken++;
    if (record.startAt === null) return;
    const wait = record.startAt - record.submitAt;
    const runSeconds = record.endAt === null ? null : record.endAt - record.startAt;
    this.scorer.add(forecast, wait, runSeconds, expectedRunSeconds(record));
    if (tellsLevels(forecast)) {
      this.classes.add(calibrationClassesOf(record, forecast, this.context), forecast.quantileSeconds, wait);
    }
    this.absoluteErrors[index] = Math.abs(forecast.pointSeconds - wait);
  }

  score(): WaitRowScore {
    const { scorer, classes, absoluteErrors } = this;
    return { score: scorer.score(), classes: classes.worstFirst(), absoluteErrors };
  }
}

/** Half of the requested walltime: what is usual of jobs, told of no job's fate. */
function expectedRunSeconds({ requestedWalltimeSeconds }: JobRecord): number {
  return requestedWalltimeSeconds === null ? USUAL_RUN_SECONDS : requestedWalltimeSeconds / 2;
}
