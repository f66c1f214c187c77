import { DAY_SECONDS } from '../../src/domain/clock.ts';
import type { NativeRef, SiteAdapter } from '../../src/domain/site-adapter.ts';
import { JobFolders } from '../shared/job-folders.ts';
import { JobOutputs } from '../shared/job-outputs.ts';
import type { SlurmAccounting } from './client.ts';
import { type SlurmConfig, slurmConfig } from './config.ts';
import { connectSlurm } from './connect.ts';
import { readHistory } from './history.ts';
import { HistoryWindow } from './history-window.ts';
import { SLURM_HONOURS } from './job-asks.ts';
import { LayoutReader } from './layout.ts';
import { OwnJobs } from './own-jobs.ts';
import { submitJob } from './submit.ts';
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
  const layouts = new LayoutReader(controller);
  const wholeSite = new WholeSite(site, settings, layouts);
  const ownJobs = new OwnJobs(site, accountingLagSeconds);
  const outputs = site.files && new JobOutputs(site.files, settings);
  const folders = site.files && new JobFolders(site.files, settings);
  const historyWindow = new HistoryWindow(accountingLagSeconds, historyDays * DAY_SECONDS);
  return {
    capabilities: { ...capabilitiesOf(accounting), accountingLagSeconds, honours: SLURM_HONOURS },
    facts: () => wholeSite.facts(),
    snapshot: () => wholeSite.snapshot(),
    submit: (spec, key) => submitJob(controller, layouts, settings, outputs?.place(spec, key) ?? spec, key),
    find: (key, intendedAt) => ownJobs.find(key, intendedAt),
    inspect: (refs) => ownJobs.inspect(refs),
    cancel: (ref) => ownJobs.cancel(ref),
    ...(controller.begin && { begin: (ref: NativeRef) => ownJobs.begin(ref) }),
    history: (since) => readHistory(accounting, historyWindow, since),
    readOutput: outputs ? (request) => outputs.read(request) : undefined,
    stage: folders ? (request) => folders.stage(request) : undefined,
    standings: () => site.standings(),
    async close() {
      await Promise.all([controller.close(), site.files?.close()]);
    },
  };
}

/** Without accounting the controller tells of ended jobs for `MinJobAge`. */
function capabilitiesOf(accounting: SlurmAccounting | null) {
  return accounting ? { accounting: true } : { accounting: false, endedInQueueSeconds: LEAST_JOB_AGE_SECONDS };
}

/** A minute less than Slurm's default of `MinJobAge`. */
const LEAST_JOB_AGE_SECONDS = 240;
