import type { WaitForecast, WaitQuery } from '../../domain/forecast.ts';
import { plannedWalltimeSeconds } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { planLoad, plannedWaitSeconds, type SiteLoad } from './site-load.ts';

/**
 * By how much our own jobs on their way to a site delay a job more: the difference that they make to its start when the
 * site's queue is planned forward with requested walltimes. Nothing where they leave room for it.
 */
export class OwnJobsDelay {
  private readonly loads: () => readonly [SiteLoad, SiteLoad];

  /**
   * @param state what the site says, with them
   * @param without the same without them
   */
  constructor(state: Snapshot, without: Snapshot) {
    let loads: readonly [SiteLoad, SiteLoad] | null = null;
    this.loads = () => {
      loads ??= [planLoad(state), planLoad(without)];
      return loads;
    };
  }

  /** At least 0; 0, too, for a job that never fits. */
  secondsFor(query: WaitQuery): number {
    const walltimeSeconds = plannedWalltimeSeconds(query);
    const [later, sooner] = this.loads().map((load) => plannedWaitSeconds(load, query.processors, walltimeSeconds));
    const seconds = (later as number) - (sooner as number);
    return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
  }
}

/**
 * A forecast that is at no level sooner than the one made without our own jobs on their way, with the delay that they
 * bring.
 */
export function delayed(said: WaitForecast, without: WaitForecast, delaySeconds: number): WaitForecast {
  const later = (seconds: number, sooner: number) => Math.max(seconds, sooner + delaySeconds);
  return {
    ...said,
    delaySeconds,
    pointSeconds: later(said.pointSeconds, without.pointSeconds),
    quantileSeconds: said.quantileSeconds.map((seconds, i) => later(seconds, without.quantileSeconds[i] as number)),
  };
}
