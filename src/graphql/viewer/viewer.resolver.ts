import { Ctx, Query, Resolver } from 'type-graphql';
import { type ApiContext, callerOf } from '../context.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { Viewer } from './viewer.type.ts';

@Resolver()
export class ViewerResolver {
  @Query(() => Viewer, { description: 'Who is calling, by the bearer token.' })
  viewer(@Ctx() context: ApiContext): Viewer {
    const { name, role, tenantName: tenant } = callerOf(context);
    return { name, role, tenant };
  }

  @Query(() => DateTime, { description: "The service's clock, which may run faster than the wall's." })
  serverTime(@Ctx() { commands }: ApiContext): Date {
    return toMoment(commands.clock.now());
  }
}
