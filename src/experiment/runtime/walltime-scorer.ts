import type { RuntimeForecast } from '../../domain/forecast.ts';
import { percentOf, walltimeAtRisk } from '../../plan/job/walltime.ts';
import type { ExperimentRow } from '../experiment.ts';
import type { ScoredRuntime } from './runtime-scorer.ts';

/** Walltimes of one risk, of jobs whose forecasts rest on about as many runs. */
interface Tally {
  walltimes: number;
  killed: number;
  /** Sums of what is asked for over what the job's owner asked for. */
  shares: number;
}

/**
 * What walltimes that are chosen by a risk, below the requested ones, do: how many they kill, by how many runs alike
 * their forecasts rest on. A job that outran the requested one, too, is not killed by them.
 */
export class WalltimeScorer {
  private readonly tallies = RISKS.map(() => SIZE_ENDS.map((): Tally => ({ walltimes: 0, killed: 0, shares: 0 })));

  add(forecast: RuntimeForecast, { seconds, requestedWalltimeSeconds: requestedSeconds }: ScoredRuntime): void {
    if (requestedSeconds === null) return;
    const size = SIZE_ENDS.findIndex((end) => forecast.sampleSize < end);
    for (const [index, risk] of RISKS.entries()) {
      const { walltimeSeconds } = walltimeAtRisk(forecast, risk, { requestedSeconds, limitSeconds: null });
      const tally = this.tallies[index]?.[size];
      if (walltimeSeconds === null || !tally) continue;
      tally.walltimes++;
      tally.shares += walltimeSeconds / requestedSeconds;
      if (seconds > walltimeSeconds && seconds <= requestedSeconds) tally.killed++;
    }
  }

  /** A row for each risk and size of which there is a job. */
  rows(name: string): ExperimentRow[] {
    return this.tallies.flatMap((sizes, risk) =>
      sizes.flatMap(({ walltimes, killed, shares }, size) => {
        if (walltimes === 0) return [];
        const killedShare = Number((killed / walltimes).toFixed(4));
        const shareOfRequested = Number((shares / walltimes).toFixed(4));
        const what = `${percentOf(RISKS[risk] ?? 0)} risk, ${sizeText(size)} alike`;
        return [{ name: `${name}/${what}`, walltimes, killedShare, shareOfRequested }];
      }),
    );
  }
}

function sizeText(size: number): string {
  const [from, to] = [SIZE_ENDS[size - 1], SIZE_ENDS[size] ?? Number.POSITIVE_INFINITY];
  if (from === undefined) return `below ${to}`;
  return Number.isFinite(to) ? `${from} to ${to}` : `from ${from}`;
}

const RISKS = [0.005, 0.01, 0.05, 0.1] as const;
/** Upper ends of the classes of how many runs alike a forecast rests on. */
const SIZE_ENDS: readonly number[] = [1.5, 3, 6, 12, 30, Number.POSITIVE_INFINITY];
