import { DAY_SECONDS, type EpochSeconds } from '../../src/domain/clock.ts';
import { type OwnedJob, StreamedJobs } from '../../src/sim/job-source.ts';
import { POLICIES } from '../../src/sim/policy.ts';
import { ReplayedSite } from '../../src/sim/replayed-site.ts';
import type { ResolvedSiteConfig } from './config.ts';

interface Beginning {
  readonly processors: number;
  /** When the site came to be; its past reaches its warm days further back. */
  readonly originAt: EpochSeconds;
  readonly noteChange: (job: number, at: EpochSeconds) => void;
}

/** The machine behind a simulated site, as it is configured, with other people's jobs. */
export function replayedSite(
  background: Iterator<OwnedJob, never>,
  { policy, warmDays, outages }: ResolvedSiteConfig,
  { processors, originAt, noteChange }: Beginning,
): ReplayedSite {
  return new ReplayedSite(
    new StreamedJobs(background),
    {
      processors,
      policy: POLICIES[policy],
      fromAt: Math.floor(originAt - warmDays * DAY_SECONDS),
      outages: outages.map(({ afterSeconds, ...outage }) => ({ ...outage, at: originAt + afterSeconds })),
    },
    { started: noteChange, ended: noteChange },
  );
}
