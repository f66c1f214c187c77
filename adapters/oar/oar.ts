import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { createCommandSite } from '../shared/command-config.ts';
import { JobFolders } from '../shared/job-folders.ts';
import { JobOutputs } from '../shared/job-outputs.ts';
import { OarCommands } from './commands.ts';
import { type OarConfig, oarConfig } from './config.ts';
import { readHistory } from './history.ts';
import { honoursOf } from './job-asks.ts';
import { OwnJobs } from './own-jobs.ts';
import { Submissions } from './submit.ts';
import { WholeSite } from './whole-site.ts';

/**
 * An OAR server, by its client commands. The submission key is in the job's name; queue and accounting are one table.
 * Nothing is contacted before the first verb.
 */
export function createOarAdapter(config: OarConfig): SiteAdapter {
  const settings = oarConfig.parse(config);
  const site = createCommandSite(settings.transport, settings);
  const commands = new OarCommands(site);
  const wholeSite = new WholeSite(site, commands, settings);
  const submissions = new Submissions(commands, settings);
  const outputs = new JobOutputs(site, settings);
  const folders = new JobFolders(site, settings);
  const ownJobs = new OwnJobs(commands);
  return {
    capabilities: {
      accounting: true,
      accountingLagSeconds: settings.accountingLagSeconds,
      honours: honoursOf(settings),
    },
    facts: () => wholeSite.facts(),
    snapshot: () => wholeSite.snapshot(),
    submit: (spec, key) => submissions.submit(outputs.place(spec, key), key),
    find: (key) => ownJobs.find(key),
    inspect: (refs) => ownJobs.inspect(refs),
    cancel: (ref) => ownJobs.cancel(ref),
    readOutput: (request) => outputs.read(request),
    stage: (request) => folders.stage(request),
    history: (since) => readHistory(commands, settings.historyOverlapSeconds, since),
    standings: () => site.standings(),
    close: () => site.close(),
  };
}
