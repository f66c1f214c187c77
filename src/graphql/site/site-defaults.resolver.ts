import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { setSiteDefaults } from '../../commands/set-site-defaults.ts';
import type { SiteDefaults as Defaults } from '../../domain/site-requests.ts';
import { listSiteDefaults, loadTenantDefaults } from '../../store/site-defaults.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { Mail } from '../job/job-requests.resolver.ts';
import { decodeId } from '../shared/global-id.ts';
import { IdempotentInput } from '../shared/idempotent.input.ts';
import { answer } from '../shared/payload.ts';
import { MailInput, toTerms } from '../shared/site-requests.input.ts';
import { sitePayload } from './answer-site.ts';
import { SitePayload } from './site.payload.ts';
import { Site } from './site.type.ts';

@InputType({ description: 'What holds at a site for the jobs that do not say it. What is absent is not set any more.' })
export class SiteDefaultsInput extends IdempotentInput {
  @Field(() => ID, { description: 'The site.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Name of the tenant; for every tenant when absent.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'Queue of the site.' })
  queue?: string | null;

  @Field(() => String, { nullable: true, description: 'Who pays.' })
  account?: string | null;

  @Field(() => String, { nullable: true, description: 'Quality of service.' })
  qos?: string | null;

  @Field(() => String, { nullable: true, description: "A reservation of the site's administrators." })
  siteReservation?: string | null;

  @Field(() => String, { nullable: true, description: 'Folder at the site in which jobs start.' })
  workFolder?: string | null;

  @Field(() => MailInput, { nullable: true, description: 'Mails that the site writes.' })
  mail?: MailInput | null;
}

@ObjectType({ description: 'What holds at a site for the jobs that do not say it; null where nothing is set.' })
export class SiteDefaults {
  constructor(
    private readonly defaults: Defaults,
    private readonly of: string | null,
  ) {}

  @Field(() => String, { nullable: true, description: 'For the jobs of this tenant; null for those of every tenant.' })
  get tenant(): string | null {
    return this.of;
  }

  @Field(() => String, { nullable: true, description: 'Queue of the site.' })
  get queue(): string | null {
    return this.defaults.queue ?? null;
  }

  @Field(() => String, { nullable: true, description: 'Who pays.' })
  get account(): string | null {
    return this.defaults.account ?? null;
  }

  @Field(() => String, { nullable: true, description: 'Quality of service.' })
  get qos(): string | null {
    return this.defaults.qos ?? null;
  }

  @Field(() => String, { nullable: true, description: "A reservation of the site's administrators." })
  get siteReservation(): string | null {
    return this.defaults.siteReservation ?? null;
  }

  @Field(() => String, { nullable: true, description: 'Folder at the site in which jobs start.' })
  get workFolder(): string | null {
    return this.defaults.workFolder ?? null;
  }

  @Field(() => Mail, { nullable: true, description: 'Mails that the site writes.' })
  get mail(): Mail | null {
    const { mail } = this.defaults;
    return mail ? { address: mail.address, events: mail.events } : null;
  }
}

/** What admins have set at sites for the jobs that do not say it themselves. */
@Resolver(() => Site)
export class SiteDefaultsResolver {
  @FieldResolver(() => SiteDefaults, { complexity: 5, description: "What holds there for the caller's tenant." })
  async defaults(@Root() { row }: Site, @Ctx() context: ApiContext): Promise<SiteDefaults> {
    const { tenantName } = callerOf(context);
    const all = await loadTenantDefaults(context.commands.database.db, tenantName);
    return new SiteDefaults(all.get(row.id) ?? {}, tenantName);
  }

  @FieldResolver(() => [SiteDefaults], {
    nullable: true,
    complexity: 5,
    description: 'What is set there, for every tenant first and then by tenant. Null for others than admins.',
  })
  async setDefaults(@Root() { row }: Site, @Ctx() context: ApiContext): Promise<SiteDefaults[] | null> {
    if (callerOf(context).role !== 'ADMIN') return null;
    const rows = await listSiteDefaults(context.commands.database.db, [row.id]);
    return rows.map(({ tenant, defaults }) => new SiteDefaults(defaults, tenant));
  }

  @Mutation(() => SitePayload, {
    complexity: 50,
    description: 'Sets what holds at a site for the jobs of a tenant, or of all, that do not say it. For admins.',
  })
  setSiteDefaults(
    @Arg('input', () => SiteDefaultsInput, { description: 'All of them.' }) input: SiteDefaultsInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { queue, workFolder, mail, tenant = null, idempotencyKey = null } = input;
    return answer(context, async () => {
      const siteId = decodeId(input.id, 'Site', 'input.id');
      const defaults = {
        ...toTerms(input),
        ...(typeof queue === 'string' && { queue }),
        ...(typeof workFolder === 'string' && { workFolder }),
        ...(mail && { mail: { address: mail.address, events: mail.events } }),
      };
      return sitePayload(
        context,
        await setSiteDefaults(context.commands, caller, { siteId, tenant, defaults, idempotencyKey }),
      );
    });
  }
}
