import { DAY_SECONDS, type EpochSeconds } from '../../src/domain/clock.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance, HistoryPage, NativeRef, SiteAdapter } from '../../src/domain/site-adapter.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { SlurmAccounting, SlurmController } from './client.ts';
import { type SlurmConfig, slurmConfig } from './config.ts';
import { connectSlurm } from './connect.ts';
import { HistoryWindow } from './history-window.ts';
import { OwnJobs } from './own-jobs.ts';
import { hasEnded } from './slurm-job.ts';
import { asRecord } from './understand.ts';
import { WholeSite } from './whole-site.ts';

/**
 * A Slurm cluster as one more user sees it, over commands or slurmrestd. The submission key is in the job's name.
 * Whether a job waits or runs is for the controller to say, how it ended for accounting, so that a job the controller
 * has lost is in no answer. Nothing is contacted before the first verb.
 */
export function createSlurmAdapter(config: SlurmConfig): SiteAdapter {
  const settings = slurmConfig.parse(config);
  const { accountingLagSeconds, historyDays } = settings;
  const site = connectSlurm(settings);
  const { controller, accounting } = site;
  const wholeSite = new WholeSite(site, settings);
  const ownJobs = new OwnJobs(site);
  const historyWindow = new HistoryWindow(accountingLagSeconds, historyDays * DAY_SECONDS);
  return {
    capabilities: { accounting: accounting !== null, accountingLagSeconds },
    facts: () => wholeSite.facts(),
    snapshot: () => wholeSite.snapshot(),
    submit: (spec, key) => submit(controller, spec, key),
    find: (key, intendedAt) => ownJobs.find(key, intendedAt),
    inspect: (refs) => ownJobs.inspect(refs),
    cancel: (ref) => ownJobs.cancel(ref),
    ...(controller.begin && { begin: (ref: NativeRef) => ownJobs.begin(ref) }),
    history: (since) => readHistory(accounting, historyWindow, since),
    close: () => controller.close(),
  };
}

async function submit(controller: SlurmController, spec: JobSpec, key: string): Promise<Acceptance> {
  const name = jobNameOf(key);
  assertDeliverable(spec);
  const nativeId = await controller.submit(spec, name);
  return { nativeId, submittedAt: Math.floor(presentMoment()), key };
}

async function readHistory(
  accounting: SlurmAccounting | null,
  historyWindow: HistoryWindow,
  since: EpochSeconds,
): Promise<HistoryPage> {
  if (!accounting) return { records: [], nextSince: since };
  return historyWindow.read(since, presentMoment(), async (window) => {
    const jobs = (await accounting.ended(window)).filter(hasEnded);
    return jobs.flatMap((job) => asRecord(job) ?? []).sort((a, b) => (a.endAt ?? 0) - (b.endAt ?? 0));
  });
}
