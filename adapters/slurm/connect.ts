import type { ServiceStanding } from '../../src/domain/site-service.ts';
import { createCommandSite } from '../shared/command-config.ts';
import type { CommandSite } from '../shared/command-site.ts';
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
  /** Where files are read; null where nothing reads any. */
  readonly files: CommandSite | null;
  /** How each of its services stands that was asked something by now. */
  standings(): readonly ServiceStanding[];
}

/** The site as its configuration says. Nothing is contacted before the first question. */
export function connectSlurm(config: ResolvedSlurmConfig): SlurmSite {
  const { transport, accounting } = config;
  if (transport.kind === 'rest') {
    const connection = new RestConnection(transport, config);
    const controller = new SlurmRest(connection, config);
    const files = config.files ? createCommandSite(config.files, config) : null;
    const standings = () => [...connection.standings(), ...(files?.standings() ?? [])];
    if (accounting.kind === 'none') return { controller, accounting: null, associations: null, files, standings };
    const associations = new RestAssociations(connection, transport.user, config.account);
    return { controller, accounting: new RestAccounting(connection, config), associations, files, standings };
  }
  const site = createCommandSite(transport, config);
  const controller = new SlurmCommands(site);
  return { controller, ...rememberedBy(site, config), files: site, standings: () => site.standings() };
}

function rememberedBy(
  site: CommandSite,
  { accounting, account, usageSampleSeconds }: ResolvedSlurmConfig,
): Pick<SlurmSite, 'accounting' | 'associations'> {
  switch (accounting.kind) {
    case 'slurmdbd':
      return { accounting: new Sacct(site, { usageSampleSeconds }), associations: new Sacctmgr(site, account) };
    case 'jobcomp':
      return { accounting: new JobCompletions(site, accounting.file, accounting.timeZone), associations: null };
    case 'none':
      return { accounting: null, associations: null };
  }
}
