import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { type FaultCode, faultSentence } from '../../domain/failures.ts';
import { identitiesOf } from '../../domain/site-identity.ts';
import { identityFaultOf, listIdentityChecks } from '../../store/identities.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { SiteFaultCodeEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { IdentityRuleEnum } from '../shared/site-enums.ts';
import { Site } from './site.type.ts';

@ObjectType({ description: "A tenant's account at a site." })
export class SiteIdentity {
  @Field(() => String, { description: 'Name of the tenant.' })
  tenant!: string;

  @Field(() => String, { description: 'The Unix user as whom its jobs run there.' })
  user!: string;

  @Field(() => DateTime, { nullable: true, description: 'When it was last used for a question; null before.' })
  checkedAt!: Date | null;

  @Field(() => SiteFaultCodeEnum, { nullable: true, description: 'The same for programs.' })
  faultCode!: FaultCode | null;

  @Field(() => String, { nullable: true, description: 'What was wrong then; null when it was answered.' })
  get fault(): string | null {
    return this.faultCode && faultSentence(this.faultCode);
  }
}

/** As whom the jobs of tenants come to a site. */
@Resolver(() => Site)
export class SiteIdentitiesResolver {
  @FieldResolver(() => IdentityRuleEnum, { description: 'As whom jobs come there.' })
  identityRule(@Root() { row }: Site): ReturnType<typeof identitiesOf>['rule'] {
    return identitiesOf(row.configuration).rule;
  }

  @FieldResolver(() => [SiteIdentity], {
    nullable: true,
    complexity: 5,
    description:
      'The accounts of tenants there, by tenant; none where all jobs come as the gateway. Null for others than admins.',
  })
  async identities(@Root() { row }: Site, @Ctx() context: ApiContext): Promise<SiteIdentity[] | null> {
    if (callerOf(context).role !== 'ADMIN') return null;
    const checks = await listIdentityChecks(context.commands.database.db, [row.id]);
    return identitiesOf(row.configuration).tenants.map(({ tenant, user }) => {
      const check = checks.find((one) => one.tenant === tenant && one.user === user);
      const faultCode = check ? identityFaultOf(check) : null;
      return Object.assign(new SiteIdentity(), {
        tenant,
        user,
        faultCode,
        checkedAt: toMoment(check?.checkedAt ?? null),
      });
    });
  }
}
