import { whatIsNotHonoured } from '../domain/honours.ts';
import type { SiteDefaults } from '../domain/site-requests.ts';
import { quoted } from '../domain/text.ts';
import type { Principal } from '../store/principals.ts';
import { listTenantNames } from '../store/principals.ts';
import { saveSiteDefaults } from '../store/site-defaults.ts';
import { findStandingSite, type SiteRow } from '../store/sites.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { checkQueue, FaultList } from './input/faults.ts';
import { notFound } from './input/not-found.ts';
import { checkMail, checkSiteTerms, checkWorkFolder } from './input/site-requests.ts';

/** What holds at a site for the jobs of a tenant that do not say it themselves. */
export interface SiteDefaultsInput extends Idempotent {
  readonly siteId: string;
  /** Name of the tenant; null for every tenant. */
  readonly tenant: string | null;
  /** All of them: what is left out is not set any more. */
  readonly defaults: SiteDefaults;
}

/**
 * Sets what jobs ask at a site that do not say it themselves. Jobs that are not handed in yet follow.
 * @throws CallerError NOT_FOUND, or INVALID for what no job could ask there
 */
export function setSiteDefaults(
  context: CommandContext,
  principal: Principal,
  input: SiteDefaultsInput,
): Promise<{ siteId: string }> {
  return carryOut(context, principal, 'setSiteDefaults', input, async (commit) => {
    const { siteId, tenant, defaults } = input;
    const { db } = context.database;
    const site = await findStandingSite(db, siteId);
    if (!site) throw notFound('site', 'input.id');
    const faults = new FaultList();
    if (tenant !== null) {
      const known = (await listTenantNames(db)).includes(tenant);
      faults.require(
        known,
        'input.tenant',
        `there is no tenant ${quoted(tenant)}; give the name of one, or leave it out`,
      );
    }
    checkDefaults(faults, defaults, site);
    faults.assertNone();
    return commit(async (tx) => {
      await saveSiteDefaults(tx, { siteId, tenant, defaults });
      return { siteId };
    });
  });
}

function checkDefaults(
  faults: FaultList,
  { queue, workFolder, mail, ...terms }: SiteDefaults,
  site: Pick<SiteRow, 'name' | 'observedAt' | 'honours' | 'queues'>,
): void {
  if (queue !== undefined) checkQueue(faults, queue, 'input.queue');
  checkSiteTerms(faults, terms, 'input');
  if (workFolder !== undefined) checkWorkFolder(faults, workFolder, 'input.workFolder');
  if (mail !== undefined) checkMail(faults, mail, 'input.mail');
  if (site.observedAt === null) return;
  if (queue !== undefined && !site.queues.some(({ name }) => name === queue)) {
    const names = site.queues.map(({ name }) => name).join(', ') || 'none';
    faults.require(false, 'input.queue', `${site.name} has no queue ${quoted(queue)}; it has ${names}`);
  }
  const missing = whatIsNotHonoured({ terms, workFolder, mail }, []).filter((name) => !site.honours.includes(name));
  for (const name of missing) {
    faults.require(false, `input.${name}`, `${site.name} does not honour ${name}; no job there could have it`);
  }
}
