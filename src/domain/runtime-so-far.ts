import { QUANTILE_COUNT, type RuntimeForecast } from './forecast.ts';
import { partitionPoint } from './partition-point.ts';

/**
 * The forecast of the whole runtime of a job that has run for a while and goes on, or of the whole wait of one that
 * waits: who runs for three hours will not end after two. Its percentiles are those of what the forecast leaves beyond
 * the elapsed time; where history supports nothing beyond it, they lie evenly between the elapsed time and the
 * walltime. The point keeps its level, or is the median where there was none. A job that has not run is forecast as
 * before.
 * @param elapsedSeconds that it has run
 * @param walltimeSeconds at which its site ends it; null for never
 */
export function runtimeSoFar<Forecast extends Pick<RuntimeForecast, 'pointSeconds' | 'quantileSeconds'>>(
  forecast: Forecast,
  elapsedSeconds: number,
  walltimeSeconds: number | null,
): Forecast {
  if (!(elapsedSeconds > 0)) return forecast;
  const runtimes = new Distribution(forecast.quantileSeconds, walltimeSeconds ?? Number.POSITIVE_INFINITY);
  const passed = runtimes.levelOf(elapsedSeconds);
  const beyond = (level: number) =>
    Math.max(elapsedSeconds, runtimes.secondsAt(passed + (level / 100) * (100 - passed)));
  const pointLevel = Number.isFinite(forecast.pointSeconds) ? runtimes.middleLevelOf(forecast.pointSeconds) : 50;
  const quantileSeconds: number[] = [];
  let before = elapsedSeconds;
  for (let level = 1; level <= QUANTILE_COUNT; level++) {
    before = Math.max(before, beyond(level));
    quantileSeconds.push(before);
  }
  return { ...forecast, pointSeconds: beyond(pointLevel), quantileSeconds };
}

/** Runtimes as percentiles tell them: even between two of them, from 0 to the first, and from the last to the end. */
class Distribution {
  private readonly percentiles: readonly number[];
  private readonly longest: number;

  /** @param longest no runtime exceeds it; infinite where nothing ends them */
  constructor(percentiles: readonly number[], longest: number) {
    this.longest = longest;
    this.percentiles = percentiles.filter(Number.isFinite).map((seconds) => Math.min(longest, Math.max(0, seconds)));
  }

  /** Percent of the runtimes that do not exceed it; those beyond the last percentile count only where they end. */
  levelOf(seconds: number): number {
    const { longest, percentiles } = this;
    if (seconds >= longest) return 100;
    const level = partitionPoint(percentiles.length, (index) => (percentiles[index] as number) <= seconds);
    const below = this.percentile(level);
    const isLast = level === percentiles.length;
    if (isLast && longest === Number.POSITIVE_INFINITY) return level;
    const above = isLast ? longest : this.percentile(level + 1);
    return level + ((seconds - below) / (above - below)) * (isLast ? 100 - level : 1);
  }

  /** The same in the middle of those that are exactly as long. */
  middleLevelOf(seconds: number): number {
    const { percentiles } = this;
    const first = 1 + partitionPoint(percentiles.length, (index) => (percentiles[index] as number) < seconds);
    const last = this.levelOf(seconds);
    return first < last && this.percentile(first) === seconds ? (first + last) / 2 : last;
  }

  /** The runtime at a level; infinite where history does not support it and nothing ends the job. */
  secondsAt(level: number): number {
    const known = this.percentiles.length;
    if (level >= 100) return this.longest;
    const whole = Math.min(Math.floor(level), known);
    const below = this.percentile(whole);
    if (level <= whole) return below;
    if (whole < known) return below + (level - whole) * (this.percentile(whole + 1) - below);
    if (this.longest === Number.POSITIVE_INFINITY) return this.longest;
    return below + ((level - known) / (100 - known)) * (this.longest - below);
  }

  private percentile(level: number): number {
    return level === 0 ? 0 : (this.percentiles[level - 1] as number);
  }
}
