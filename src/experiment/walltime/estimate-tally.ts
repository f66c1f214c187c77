/** How good estimates of runtimes are. Shares are of all jobs; figures of no job are NaN. */
export interface EstimateFigures {
  readonly jobs: number;
  readonly accuracyMean: number;
  readonly accuracyMedian: number;
  /** Jobs whose estimate is what they requested. */
  readonly naShare: number;
  /** Those adjusted to no less than they ran. */
  readonly oeShare: number;
  /** Those adjusted to less, by less than half an hour. */
  readonly ueShare: number;
  /** Those adjusted to less by half an hour or more. */
  readonly beShare: number;
}

/** By how much an estimate is bad that is too low. */
export const BAD_SECONDS = 1800;

/**
 * How near an estimate is to what a job ran: 1 when it is the same, else the smaller over the larger. Source: Tang et
 * al. 2013, JPDC 73(7), eq. 3.
 */
export function accuracyOf(ranSeconds: number, estimateSeconds: number): number {
  if (ranSeconds === estimateSeconds) return 1;
  return Math.min(ranSeconds, estimateSeconds) / Math.max(ranSeconds, estimateSeconds);
}

/** Collects estimates with what the jobs ran, one by one. Medians are exact to a ten-thousandth. */
export class EstimateTally {
  private readonly accuracies = new Int32Array(STEPS + 1);
  private readonly kinds = { na: 0, oe: 0, ue: 0, be: 0 };
  private jobs = 0;
  private accuracySum = 0;

  add(requestedSeconds: number, ranSeconds: number, estimateSeconds: number): void {
    const accuracy = accuracyOf(ranSeconds, estimateSeconds);
    this.jobs++;
    this.accuracySum += accuracy;
    const step = Math.round(accuracy * STEPS);
    this.accuracies[step] = (this.accuracies[step] as number) + 1;
    this.kinds[kindOf(requestedSeconds, ranSeconds, estimateSeconds)]++;
  }

  figures(): EstimateFigures {
    const { jobs, kinds } = this;
    return {
      jobs,
      accuracyMean: this.accuracySum / jobs,
      accuracyMedian: jobs === 0 ? Number.NaN : this.median(),
      naShare: kinds.na / jobs,
      oeShare: kinds.oe / jobs,
      ueShare: kinds.ue / jobs,
      beShare: kinds.be / jobs,
    };
  }

  private median(): number {
    let step = 0;
    for (let counted = this.accuracies[0] as number; counted < this.jobs / 2; ) {
      counted += this.accuracies[++step] as number;
    }
    return step / STEPS;
  }
}

const STEPS = 10_000;

function kindOf(requested: number, ran: number, estimate: number): 'na' | 'oe' | 'ue' | 'be' {
  if (estimate === requested) return 'na';
  if (ran <= estimate) return 'oe';
  return ran - estimate < BAD_SECONDS ? 'ue' : 'be';
}
