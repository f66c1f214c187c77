import type { AdapterRegistry } from '../../domain/adapter-registry.ts';
import { CallerError } from '../../domain/failures.ts';
import { machineOfSite } from '../../domain/machine-of-site.ts';
import { quoted } from '../../domain/text.ts';
import type { Db } from '../../store/database.ts';
import { listSites } from '../../store/sites.ts';
import { type FaultList } from './faults.ts';

/** Requires a name that a site may have. */
export function checkSiteName(faults: FaultList, name: string): void {
  const rule =
    'a site name begins with a letter or digit and has at most 63 letters, digits, dots, dashes, underscores';
  faults.require(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name), 'input.name', `${rule}; got ${quoted(name)}`);
}

/** Requires a configuration that the adapter of that name can work with. Nothing is asked of the site. */
export function checkSiteConfiguration(
  faults: FaultList,
  adapters: AdapterRegistry,
  adapter: string,
  configuration: unknown,
): void {
  if (adapters.names.includes(adapter)) {
    for (const fault of adapters.check(adapter, configuration)) faults.require(false, 'input.configuration', fault);
  } else {
    const known = adapters.names.join(', ');
    faults.require(false, 'input.adapter', `there is no adapter ${quoted(adapter)}; there are ${known}`);
  }
}

/**
 * Requires that no other site is the same machine: forecasts and joint promises would count it twice.
 * @param siteId of the site itself; null for one that is new
 */
export async function assertAnotherMachine(
  db: Db,
  { adapter, configuration }: { readonly adapter: string; readonly configuration: unknown },
  siteId: string | null = null,
): Promise<void> {
  const machine = machineOfSite(adapter, configuration);
  const same = (await listSites(db)).find(
    (site) => site.id !== siteId && machineOfSite(site.adapter, site.configuration) === machine,
  );
  if (!same) return;
  const rule = 'a machine is one site, or its processors would be promised twice';
  const remedy = `use ${same.name}, or change it by updateSite`;
  throw new CallerError(
    'INVALID',
    'input.configuration',
    `the site ${same.name} is reached the same way: ${rule}; ${remedy}`,
  );
}

/** What a caller is told who gives a site the name of another one. */
export function siteNameTaken(name: string): CallerError {
  return new CallerError(
    'NAME_TAKEN',
    'input.name',
    `a site named ${quoted(name)} is registered already; choose another name`,
  );
}
