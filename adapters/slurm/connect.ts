import { createCommandSite } from '../shared/command-config.ts';
import type { SlurmAccounting, SlurmController } from './client.ts';
import { Sacct, SlurmCommands } from './commands.ts';
import { JobCompletions } from './completions.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import { SlurmRest } from './rest.ts';
import { RestAccounting } from './rest-accounting.ts';
import { RestConnection } from './rest-connection.ts';

/** Both sides of a Slurm site. */
export interface SlurmSite {
  readonly controller: SlurmController;
  /** Null where nothing remembers ended jobs. */
  readonly accounting: SlurmAccounting | null;
}

/** The site as its configuration says. Nothing is contacted before the first question. */
export function connectSlurm(config: ResolvedSlurmConfig): SlurmSite {
  const { transport, accounting } = config;
  if (transport.kind === 'rest') {
    const connection = new RestConnection(transport, config);
    return {
      controller: new SlurmRest(connection, config),
      accounting: accounting.kind === 'none' ? null : new RestAccounting(connection),
    };
  }
  const site = createCommandSite(transport, config);
  const controller = new SlurmCommands(site, config);
  switch (accounting.kind) {
    case 'slurmdbd':
      return { controller, accounting: new Sacct(site) };
    case 'jobcomp':
      return { controller, accounting: new JobCompletions(site, accounting.file, accounting.timeZone) };
    case 'none':
      return { controller, accounting: null };
  }
}
