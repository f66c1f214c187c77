import { createCommandSite } from '../shared/command-config.ts';
import type { SlurmAccounting, SlurmAssociations, SlurmController } from './client.ts';
import { Sacct, SlurmCommands } from './commands.ts';
import { JobCompletions } from './completions.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import { SlurmRest } from './rest.ts';
import { RestAccounting } from './rest-accounting.ts';
import { RestAssociations } from './rest-associations.ts';
import { RestConnection } from './rest-connection.ts';
import { Sacctmgr } from './sacctmgr.ts';

/** All sides of a Slurm site. */
export interface SlurmSite {
  readonly controller: SlurmController;
  /** Null where nothing remembers ended jobs. */
  readonly accounting: SlurmAccounting | null;
  /** Null where there is no slurmdbd that we know of. */
  readonly associations: SlurmAssociations | null;
}

/** The site as its configuration says. Nothing is contacted before the first question. */
export function connectSlurm(config: ResolvedSlurmConfig): SlurmSite {
  const { transport, accounting } = config;
  if (transport.kind === 'rest') {
    const connection = new RestConnection(transport, config);
    const controller = new SlurmRest(connection, config);
    if (accounting.kind === 'none') return { controller, accounting: null, associations: null };
    const associations = new RestAssociations(connection, transport.user, config.account);
    return { controller, accounting: new RestAccounting(connection, config), associations };
  }
  const site = createCommandSite(transport, config);
  const controller = new SlurmCommands(site);
  switch (accounting.kind) {
    case 'slurmdbd':
      return { controller, accounting: new Sacct(site, config), associations: new Sacctmgr(site, config.account) };
    case 'jobcomp':
      return {
        controller,
        accounting: new JobCompletions(site, accounting.file, accounting.timeZone),
        associations: null,
      };
    case 'none':
      return { controller, accounting: null, associations: null };
  }
}
