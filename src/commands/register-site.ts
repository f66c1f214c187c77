import { publishChange } from '../store/events.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { createSite, findSiteByName } from '../store/sites.ts';
import { isUniqueViolation } from '../store/unique-violation.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { FaultList } from './input/faults.ts';
import { checkTags } from './input/placement.ts';
import { assertAnotherMachine, checkSiteConfiguration, checkSiteName, siteNameTaken } from './input/site-input.ts';

/** A site to be reached through an adapter. */
export interface RegisterSiteInput extends Idempotent {
  readonly name: string;
  readonly adapter: string;
  /** What that adapter needs, as its own schema says. */
  readonly configuration: unknown;
  /** What it has, software or data; nothing unless told. */
  readonly tags?: readonly string[];
}

/**
 * Registers a site. Returning means it is written down and its first observation is under way; until that it takes no
 * promise.
 * @throws CallerError when the name is taken or the adapter cannot work with the configuration
 */
export function registerSite(
  context: CommandContext,
  principal: Principal,
  input: RegisterSiteInput,
): Promise<{ siteId: string }> {
  return carryOut(context, principal, 'registerSite', input, async (commit) => {
    const { name, adapter, tags = [] } = input;
    checkInput(context, input);
    if (await findSiteByName(context.database.db, name)) throw siteNameTaken(name);
    await assertAnotherMachine(context.database.db, input);
    const now = context.clock.now();
    const configuration = JSON.parse(JSON.stringify(input.configuration));
    try {
      return await commit(async (tx) => {
        const { id: siteId } = await createSite(tx, { name, adapter, configuration, tags, now });
        await enqueueWakeUps(tx, [{ kind: 'SITE', targetId: siteId, wakeAt: now, requestId: context.requestId }]);
        await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
        return { siteId };
      });
    } catch (error) {
      throw isUniqueViolation(error) ? siteNameTaken(name) : error;
    }
  });
}

function checkInput(
  { adapters }: CommandContext,
  { name, adapter, configuration, tags = [] }: RegisterSiteInput,
): void {
  const faults = new FaultList();
  checkSiteName(faults, name);
  checkSiteConfiguration(faults, adapters, adapter, configuration);
  checkTags(faults, tags, 'input.tags');
  faults.assertNone();
}
