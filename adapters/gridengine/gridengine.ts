import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { createCommandSite } from '../shared/command-config.ts';
import { JobFolders } from '../shared/job-folders.ts';
import { JobOutputs } from '../shared/job-outputs.ts';
import { GridEngineCommands } from './commands.ts';
import { type GridEngineConfig, gridEngineConfig } from './config.ts';
import { readEquipment } from './equipment.ts';
import { readHistory } from './history.ts';
import { honoursOf } from './job-asks.ts';
import { Layout } from './layout.ts';
import { OwnJobs } from './own-jobs.ts';
import { SubmissionTimes } from './submission-times.ts';
import { Submissions } from './submissions.ts';
import { WholeSite } from './whole-site.ts';

/**
 * A Grid Engine cell, by its client commands and its accounting file. The submission key is in the job's name. Nothing
 * is contacted before the first verb.
 */
export function createGridEngineAdapter(config: GridEngineConfig): SiteAdapter {
  const settings = gridEngineConfig.parse(config);
  const site = createCommandSite(settings.transport, settings);
  const commands = new GridEngineCommands(site);
  const layout = new Layout(commands);
  const submissionTimes = new SubmissionTimes((numbers) => commands.describeJobs(numbers));
  const wholeSite = new WholeSite(site, commands, layout, submissionTimes, (reading) =>
    readEquipment(commands, reading, settings),
  );
  const submissions = new Submissions(commands, layout, settings);
  const outputs = new JobOutputs(site, settings);
  const folders = new JobFolders(site, settings);
  const ownJobs = new OwnJobs(commands, submissionTimes);
  return {
    capabilities: {
      accounting: true,
      accountingLagSeconds: settings.accountingLagSeconds,
      honours: honoursOf(settings),
    },
    facts: () => wholeSite.facts(),
    snapshot: () => wholeSite.snapshot(),
    submit: (spec, key) => submissions.submit(outputs.place(spec, key), key),
    find: (key, intendedAt) => ownJobs.find(key, intendedAt),
    inspect: (refs) => ownJobs.inspect(refs),
    cancel: (ref) => ownJobs.cancel(ref),
    readOutput: (request) => outputs.read(request),
    stage: (request) => folders.stage(request),
    history: (since) => readHistory(commands, settings.historyOverlapSeconds, since),
    standings: () => site.standings(),
    close: () => site.close(),
  };
}
