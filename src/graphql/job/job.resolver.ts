import { Arg, Ctx, FieldResolver, Float, ID, Query, Resolver, Root } from 'type-graphql';
import { invariant } from '../../domain/failures.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { Plan } from '../plan/plan.type.ts';
import { Reservation } from '../reservation/reservation.type.ts';
import { toMoment } from '../shared/moments.ts';
import { findNode } from '../shared/node.resolver.ts';
import { DateTime } from '../shared/scalars.ts';
import { Site } from '../site/site.type.ts';
import { Charge, Job, Submission } from './job.type.ts';
import { siteWordOf } from './site-word.ts';

@Resolver(() => Job)
export class JobResolver {
  @Query(() => Job, { nullable: true, description: 'One job of the caller; null when it can see no such job.' })
  async job(
    @Arg('id', () => ID, { description: 'Global id.' }) id: string,
    @Ctx() context: ApiContext,
  ): Promise<Job | null> {
    callerOf(context);
    return (await findNode(context, id, 'Job')) as Job | null;
  }

  @FieldResolver(() => Site, { nullable: true, description: 'Where it goes; null until it is planned.' })
  async site(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Site | null> {
    const site = row.siteId === null ? null : await loaders.site.load(row.siteId);
    return site && new Site(site);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      "Why it waits, in its site's own word (ReqNodeNotAvail, JobHeldAdmin), or while it is RUNNING that it is suspended; null where the site does not say.",
  })
  async siteReason(@Root() job: Job, @Ctx() context: ApiContext): Promise<string | null> {
    return (await siteWordOf(job, context))?.reason ?? null;
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'When its site itself expects to start it; null unless it is QUEUED and the site says.',
  })
  async siteEstimatedStartAt(@Root() job: Job, @Ctx() context: ApiContext): Promise<Date | null> {
    return toMoment((await siteWordOf(job, context))?.estimatedStartAt ?? null);
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description:
      "Its priority in its site's own figures, which compare within the site only; null unless it is QUEUED.",
  })
  async sitePriority(@Root() job: Job, @Ctx() context: ApiContext): Promise<number | null> {
    return (await siteWordOf(job, context))?.priority ?? null;
  }

  @FieldResolver(() => String, {
    description: 'Name of the person or program that asked for it, who may cancel it; so may roles WORKFLOW and ADMIN.',
  })
  async owner(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<string> {
    const principal = await loaders.principal.load(row.principalId);
    invariant(principal, `job ${row.id} has no owner`);
    return principal.name;
  }

  @FieldResolver(() => Plan, { nullable: true, description: 'Its newest plan, with every site that lost and why.' })
  async plan(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Plan | null> {
    const plan = await loaders.planOf.load(row.id);
    return plan && new Plan(plan);
  }

  @FieldResolver(() => Reservation, { nullable: true, description: 'The reservation it is the body of.' })
  async reservation(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Reservation | null> {
    const reservation = await loaders.reservationOf.load(row.id);
    return reservation && new Reservation(reservation);
  }

  @FieldResolver(() => [Charge], { description: 'What it cost, once it is settled.' })
  async charges(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Charge[]> {
    return (await loaders.chargesOf.load(row.id)).map((charge) => new Charge(charge));
  }

  @FieldResolver(() => [Submission], { description: 'Every attempt to hand it to its site, first to last.' })
  async submissions(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Submission[]> {
    return (await loaders.submissionsOf.load(row.id)).map((submission) => new Submission(submission));
  }
}

@Resolver(() => Submission)
export class SubmissionResolver {
  @FieldResolver(() => Site, {
    description: 'The site it was handed to, which may be another one than that of the job by now.',
  })
  async site(@Root() { row }: Submission, @Ctx() { loaders }: ApiContext): Promise<Site> {
    const site = await loaders.site.load(row.siteId);
    invariant(site, `submission ${row.key} names an unknown site`);
    return new Site(site);
  }
}
