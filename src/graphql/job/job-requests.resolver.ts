import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { invariant } from '../../domain/failures.ts';
import type { MailRequest } from '../../domain/resources.ts';
import type { SiteChoice } from '../../domain/site-requests.ts';
import { siteRequestsOf } from '../../store/plan-requests.ts';
import type { ApiContext } from '../context.ts';
import { MailEventEnum } from '../shared/site-enums.ts';
import { Site } from '../site/site.type.ts';
import { Job } from './job.type.ts';

@ObjectType({ description: 'What a job asks at one site in particular; null for what it asks as at every other.' })
export class SiteRequest {
  constructor(readonly choice: SiteChoice) {}

  @Field(() => String, { nullable: true, description: 'Name of its queue.' })
  get queue(): string | null {
    return this.choice.queue ?? null;
  }

  @Field(() => String, { nullable: true, description: 'Who pays for it.' })
  get account(): string | null {
    return this.choice.account ?? null;
  }

  @Field(() => String, { nullable: true, description: 'Quality of service.' })
  get qos(): string | null {
    return this.choice.qos ?? null;
  }

  @Field(() => String, { nullable: true, description: "A reservation of the site's administrators." })
  get siteReservation(): string | null {
    return this.choice.siteReservation ?? null;
  }
}

@Resolver(() => SiteRequest)
export class SiteRequestResolver {
  @FieldResolver(() => Site, { description: 'The site.' })
  async site(@Root() { choice }: SiteRequest, @Ctx() { loaders }: ApiContext): Promise<Site> {
    const site = await loaders.site.load(choice.siteId);
    invariant(site, `a job asks something of the unknown site ${choice.siteId}`);
    return new Site(site);
  }
}

@ObjectType({ description: 'A variable of a job.' })
export class Variable {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { description: 'What it is set to.' })
  value!: string;
}

@ObjectType({ description: 'When the site writes mails, and to whom.' })
export class Mail {
  @Field(() => String, { description: 'To whom.' })
  address!: string;

  @Field(() => [MailEventEnum], { description: 'When.' })
  events!: MailRequest['events'];
}

/** What a job asks of its sites beside its size, as it was asked. */
@Resolver(() => Job)
export class JobRequestsResolver {
  @FieldResolver(() => [SiteRequest], { description: 'What it asks at some sites in particular.' })
  sites(@Root() { row }: Job): SiteRequest[] {
    return (siteRequestsOf(row).sites ?? []).map((choice) => new SiteRequest(choice));
  }

  @FieldResolver(() => String, { nullable: true, description: 'Account that it asks for at every site.' })
  account(@Root() { row }: Job): string | null {
    return row.account;
  }

  @FieldResolver(() => String, { nullable: true, description: 'Quality of service that it asks for at every site.' })
  qos(@Root() { row }: Job): string | null {
    return row.qos;
  }

  @FieldResolver(() => String, { nullable: true, description: "Reservation of the sites' own administrators." })
  siteReservation(@Root() { row }: Job): string | null {
    return row.siteReservation;
  }

  @FieldResolver(() => [Variable], { description: 'Variables of its environment, by name.' })
  environment(@Root() { row }: Job): Variable[] {
    const all = Object.entries(siteRequestsOf(row).environment ?? {});
    return all.map(([name, value]) => ({ name, value })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  @FieldResolver(() => String, { nullable: true, description: 'Folder in which it starts, where it asks for one.' })
  workFolder(@Root() { row }: Job): string | null {
    return row.workFolder;
  }

  @FieldResolver(() => Mail, { nullable: true, description: 'Mails that its site writes of it; null for none.' })
  mail(@Root() { row }: Job): Mail | null {
    const { mail } = siteRequestsOf(row);
    return mail ? { address: mail.address, events: mail.events } : null;
  }
}
