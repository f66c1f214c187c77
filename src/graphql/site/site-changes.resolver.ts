import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { checkSite } from '../../commands/check-site.ts';
import { drainSite } from '../../commands/drain-site.ts';
import { registerSite } from '../../commands/register-site.ts';
import { removeSite } from '../../commands/remove-site.ts';
import { updateSite } from '../../commands/update-site.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { decodeId } from '../shared/global-id.ts';
import { answer } from '../shared/payload.ts';
import { sitePayload } from './answer-site.ts';
import { CheckSiteInput, DrainSiteInput, RegisterSiteInput, RemoveSiteInput, UpdateSiteInput } from './site.input.ts';
import { CheckSitePayload, SitePayload } from './site.payload.ts';
import { SiteCheck } from './site-check.type.ts';

/** What admins ask to be done with sites. */
@Resolver()
export class SiteChangesResolver {
  @Mutation(() => SitePayload, { complexity: 50, description: 'Registers a site. For admins.' })
  registerSite(
    @Arg('input', () => RegisterSiteInput, { description: 'The site.' }) input: RegisterSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { name, adapter, configuration, tags, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { name, adapter, configuration, ...(tags.length > 0 && { tags }), idempotencyKey };
      return sitePayload(context, await registerSite(context.commands, caller, command));
    });
  }

  @Mutation(() => SitePayload, {
    complexity: 50,
    description: 'Renames a site, or changes its tags or how it is reached. For admins.',
  })
  updateSite(
    @Arg('input', () => UpdateSiteInput, { description: 'The change.' }) input: UpdateSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { id, name = null, configuration = null, tags = null, idempotencyKey = null } = input;
    return answer(context, async () => {
      const siteId = decodeId(id, 'Site', 'input.id');
      const command = { siteId, name, configuration, ...(tags !== null && { tags }), idempotencyKey };
      return sitePayload(context, await updateSite(context.commands, caller, command));
    });
  }

  @Mutation(() => CheckSitePayload, {
    complexity: 500,
    description:
      'Asks a site everything that is only read, and keeps nothing of it. The process that answers the API asks: where workers run on other machines, what it can reach may differ from what they can. For admins.',
  })
  checkSite(
    @Arg('input', () => CheckSiteInput, { description: 'What is to be checked.' }) input: CheckSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<CheckSitePayload> {
    const caller = callerOf(context);
    const { id = null, adapter = null, configuration = null } = input;
    return answer(context, async () => {
      const siteId = id === null ? null : decodeId(id, 'Site', 'input.id');
      return { check: new SiteCheck(await checkSite(context.commands, caller, { siteId, adapter, configuration })) };
    });
  }

  @Mutation(() => SitePayload, {
    complexity: 50,
    description: 'Drains a site or takes it back into service. For admins.',
  })
  drainSite(
    @Arg('input', () => DrainSiteInput, { description: 'The site.' }) input: DrainSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { id, drain, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { siteId: decodeId(id, 'Site', 'input.id'), drain, idempotencyKey };
      return sitePayload(context, await drainSite(context.commands, caller, command));
    });
  }

  @Mutation(() => SitePayload, {
    complexity: 50,
    description:
      'Removes a site, at once or as soon as nothing of ours is there. What happened there stays. For admins.',
  })
  removeSite(
    @Arg('input', () => RemoveSiteInput, { description: 'The site.' }) input: RemoveSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { id, endJobs, force, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { siteId: decodeId(id, 'Site', 'input.id'), endJobs, force, idempotencyKey };
      return sitePayload(context, await removeSite(context.commands, caller, command));
    });
  }
}
