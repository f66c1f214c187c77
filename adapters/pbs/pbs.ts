import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { createCommandSite } from '../shared/command-config.ts';
import { JobFolders } from '../shared/job-folders.ts';
import { JobOutputs } from '../shared/job-outputs.ts';
import { PbsCommands } from './commands.ts';
import { type PbsConfig, pbsConfig } from './config.ts';
import { EndedJobs } from './ended-jobs.ts';
import { honoursOf } from './job-asks.ts';
import { OwnJobs } from './own-jobs.ts';
import { Submissions } from './submissions.ts';
import { WholeSite } from './whole-site.ts';

/**
 * A PBS server, OpenPBS or Torque, by its client commands. The submission key is in the job's name. Nothing is
 * contacted before the first verb.
 */
export function createPbsAdapter(config: PbsConfig): SiteAdapter {
  const settings = pbsConfig.parse(config);
  const { accounting, accountingLagSeconds } = settings;
  const site = createCommandSite(settings.transport, settings);
  const commands = new PbsCommands(site, settings.dialect);
  const wholeSite = new WholeSite(site, commands);
  const submissions = new Submissions(commands, settings);
  const endedJobs = new EndedJobs(commands, settings);
  const outputs = new JobOutputs(site, settings);
  const folders = new JobFolders(site, settings);
  const ownJobs = new OwnJobs(commands, endedJobs, settings);
  return {
    capabilities: {
      accounting: accounting.kind !== 'none',
      accountingLagSeconds,
      honours: honoursOf(settings.dialect),
    },
    facts: () => wholeSite.facts(),
    snapshot: () => wholeSite.snapshot(),
    submit: (spec, key) => submissions.submit(outputs.place(spec, key), key),
    find: (key, intendedAt) => ownJobs.find(key, intendedAt),
    inspect: (refs) => ownJobs.inspect(refs),
    cancel: (ref) => ownJobs.cancel(ref),
    readOutput: (request) => outputs.read(request),
    stage: (request) => folders.stage(request),
    history: (since) => endedJobs.history(since),
    standings: () => site.standings(),
    close: () => site.close(),
  };
}
