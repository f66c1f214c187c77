import { CallerError } from '../domain/failures.ts';
import { machineOfSite } from '../domain/machine-of-site.ts';
import { publishChange } from '../store/events.ts';
import { wakeRow } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { changeSite, findStandingSite } from '../store/sites.ts';
import { isUniqueViolation } from '../store/unique-violation.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { FaultList } from './input/faults.ts';
import { notFound } from './input/not-found.ts';
import { checkTags } from './input/placement.ts';
import { assertAnotherMachine, checkSiteConfiguration, checkSiteName, siteNameTaken } from './input/site-input.ts';
import { assertUsersStay } from './input/users-stay.ts';

/** What is to change of a site; null leaves it. It stays the same machine, with its jobs and its past. */
export interface UpdateSiteInput extends Idempotent {
  readonly siteId: string;
  readonly name: string | null;
  /** All its tags, not those that are new alone. */
  readonly tags?: readonly string[] | null;
  /** The whole configuration, not a part of it. */
  readonly configuration: unknown;
}

/**
 * Renames a site, or changes its tags or how it is reached. Returning means that it is written down; with another
 * configuration an observation by it is under way, and every process uses it from its next turn at the site on.
 * @throws CallerError NOT_FOUND, NAME_TAKEN, SITE_IN_USE where jobs would be followed as somebody else than whose they
 * are, or INVALID when the adapter cannot work with the configuration
 */
export function updateSite(
  context: CommandContext,
  principal: Principal,
  input: UpdateSiteInput,
): Promise<{ siteId: string }> {
  return carryOut(context, principal, 'updateSite', input, async (commit) => {
    const { siteId, name, tags = null } = input;
    const site = await findStandingSite(context.database.db, siteId);
    if (!site) throw notFound('site', 'input.id');
    checkInput(context, site.adapter, input);
    const configuration = input.configuration === null ? null : JSON.parse(JSON.stringify(input.configuration));
    const isMoved =
      configuration !== null &&
      machineOfSite(site.adapter, configuration) !== machineOfSite(site.adapter, site.configuration);
    if (isMoved) {
      await assertAnotherMachine(context.database.db, { adapter: site.adapter, configuration }, siteId);
    }
    try {
      return await commit(async (tx) => {
        await changeSite(tx, siteId, { name, tags, configuration });
        if (configuration !== null) await assertUsersStay(tx, site, configuration);
        if (configuration !== null) await wakeRow(tx, 'Site', siteId, context.clock.now(), context.requestId);
        await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
        return { siteId };
      });
    } catch (error) {
      throw name !== null && isUniqueViolation(error) ? siteNameTaken(name) : error;
    }
  });
}

function checkInput({ adapters }: CommandContext, adapter: string, input: UpdateSiteInput): void {
  const { name, tags = null, configuration } = input;
  if (name === null && tags === null && configuration === null) {
    throw new CallerError('INVALID', 'input', 'nothing is to change; give a name, tags or a configuration');
  }
  const faults = new FaultList();
  if (name !== null) checkSiteName(faults, name);
  if (configuration !== null) checkSiteConfiguration(faults, adapters, adapter, configuration);
  if (tags !== null) checkTags(faults, tags, 'input.tags');
  faults.assertNone();
}
