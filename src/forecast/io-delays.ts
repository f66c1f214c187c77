import type { EpochSeconds } from '../domain/clock.ts';
import type { IoForecast } from '../domain/io-ahead.ts';
import type { Submission } from '../domain/job.ts';
import { calmStartAt, doesIoMatter } from '../plan/job/io-bursts.ts';
import { momentText } from '../plan/unusable.ts';
import { bandwidthOf } from '../predict/io-ahead/io-slots.ts';
import { asBytes, READ_BYTES, WRITTEN_BYTES } from '../predict/quantities.ts';
import { expectedRunSeconds } from './delay-options.ts';
import type { AskedOption } from './forecast-options.ts';
import type { Forecaster } from './forecaster.ts';

/** Who tells of the IO of a site and of a job. */
export type IoForecaster = Pick<Forecaster, 'forecastIo' | 'forecastOthers'>;

/** A job that may be held back for bursts. */
export interface IoJob {
  readonly siteId: string;
  /** As it would be submitted. */
  readonly job: Submission;
  readonly waitSeconds: number;
  readonly runSeconds: number;
  /** It is submitted by then. */
  readonly latestAt: EpochSeconds;
}

/** As far as the IO of a site is looked at, so that it is forecast once for all that ask. */
const AHEAD_SECONDS = 86_400;

/**
 * When a job had better be submitted for its start not to meet a burst of its site's IO; its own moment where it meets
 * none, its own IO does not matter, its site tells nothing of bytes, or the calm comes too late.
 */
export async function calmSubmitAt(forecaster: IoForecaster, asked: IoJob, now: EpochSeconds): Promise<EpochSeconds> {
  const { siteId, job, waitSeconds } = asked;
  if (!Number.isFinite(waitSeconds)) return job.submitAt;
  const io = await forecaster.forecastIo(siteId, { now, aheadSeconds: AHEAD_SECONDS });
  if (!io || !doesIoMatter(io, await ownBytesPerSecond(forecaster, asked))) return job.submitAt;
  return calmSubmission(io, asked);
}

/**
 * Options submitted at once as before or, where they would start into a burst, later, with the reason. Nobody waits who
 * would be too late for a deadline.
 */
export async function withCalmStarts(
  forecaster: IoForecaster,
  options: readonly AskedOption[],
  { now, latestAt, deadlineAt }: { now: EpochSeconds; latestAt: EpochSeconds; deadlineAt: EpochSeconds | null },
): Promise<AskedOption[]> {
  return Promise.all(
    options.map(async (option) => {
      const { forecast, query, site, work } = option;
      if (!forecast || option.submitAt > now || option.ruledOut) return option;
      const runSeconds = expectedRunSeconds(option);
      const waitSeconds = forecast.pointSeconds;
      const asked = { siteId: site.siteId, job: query, waitSeconds, runSeconds, latestAt };
      const submitAt = await calmSubmitAt(forecaster, asked, now);
      const isTooLate = deadlineAt !== null && submitAt + waitSeconds + option.walltimeSeconds > deadlineAt;
      if (submitAt <= option.submitAt || isTooLate) return option;
      const remark = `it is held back until ${momentText(submitAt)}: at once it would start into a burst of the site's IO`;
      return { ...option, submitAt, query: { ...query, submitAt }, work: { ...work, submitAt }, remark };
    }),
  );
}

function calmSubmission(io: IoForecast, { job, waitSeconds, runSeconds, latestAt }: IoJob): EpochSeconds {
  const startAt = job.submitAt + waitSeconds;
  const calmAt = calmStartAt(io, startAt, runSeconds, latestAt + waitSeconds);
  return calmAt === null ? job.submitAt : job.submitAt + (calmAt - startAt);
}

async function ownBytesPerSecond(
  forecaster: Pick<Forecaster, 'forecastOthers'>,
  { siteId, job, runSeconds }: IoJob,
): Promise<number> {
  const bytesOf = async (quantity: string) => {
    const [said] = await forecaster.forecastOthers(siteId, quantity, [job]);
    return (said && asBytes(said)?.pointBytes) ?? 0;
  };
  const [read, written] = await Promise.all([bytesOf(READ_BYTES.name), bytesOf(WRITTEN_BYTES.name)]);
  const { readBytesPerSecond, writtenBytesPerSecond } = bandwidthOf(read, written, runSeconds);
  return readBytesPerSecond + writtenBytesPerSecond;
}
