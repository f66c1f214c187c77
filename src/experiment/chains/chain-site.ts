import type { EpochSeconds } from '../../domain/clock.ts';
import type { RuntimeForecast, WaitForecast } from '../../domain/forecast.ts';
import type { JobRequest } from '../../domain/job.ts';
import type { NativeJob } from '../../domain/site-adapter.ts';
import type { RuntimePredictor, SiteListener, WaitPredictor } from '../../predict/predictor.ts';
import type { JobCard } from '../../sim/job-source.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Workload } from '../../sim/workload.ts';
import { watchedLog } from '../varq/watched-log.ts';

/** A log replayed under EASY as a site that chains are submitted to, with predictors of waits and runtimes. */
export class ChainSite {
  private readonly site: ReplayedSite;

  constructor(
    workload: Workload,
    readonly processors: number,
    private readonly waits: WaitPredictor,
    private readonly runtimes: RuntimePredictor,
    { snapshotSeconds, left }: { readonly snapshotSeconds: number; readonly left: ReadonlySet<number> },
  ) {
    const told = tellingBoth(waits, runtimes);
    this.site = watchedLog(workload, processors, told, snapshotSeconds, { left, showsOwners: true });
  }

  get now(): EpochSeconds {
    return this.site.now;
  }

  /** How many jobs of the log have been handed in. */
  get handedIn(): number {
    return this.site.taken;
  }

  advanceTo(at: EpochSeconds): void {
    this.site.advanceTo(at);
  }

  /** Hands a job in now. Returns its number. */
  submit(job: Omit<SimulatedJob, 'submitAt'>, card: JobCard): number {
    return this.site.submit({ ...job, submitAt: this.now }, card);
  }

  seen(job: number): NativeJob {
    return this.site.seen(job);
  }

  /** Tells a job at its gate to begin. */
  begin(job: number): void {
    this.site.openGate(job);
  }

  cancel(job: number): void {
    this.site.cancel(job);
  }

  /** The wait of a job that is submitted now. */
  waitOf(request: JobRequest): WaitForecast {
    return this.waits.predict({ ...request, submitAt: this.now }, this.site.latest, this.now);
  }

  runtimeOf(request: JobRequest): RuntimeForecast {
    return this.runtimes.predict(request, this.site.latest, this.now);
  }
}

function tellingBoth(one: SiteListener, other: SiteListener): SiteListener {
  return {
    submitted(job) {
      one.submitted?.(job);
      other.submitted?.(job);
    },
    started(record) {
      one.started?.(record);
      other.started?.(record);
    },
    ended(record) {
      one.ended?.(record);
      other.ended?.(record);
    },
    observed(state) {
      one.observed?.(state);
      other.observed?.(state);
    },
  };
}
