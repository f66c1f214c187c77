import { Field, ID, InputType } from 'type-graphql';
import { MOST_ENVIRONMENT_BYTES, MOST_VARIABLES } from '../../commands/input/site-requests.ts';
import { CallerError } from '../../domain/failures.ts';
import type { MailRequest, SiteTerms } from '../../domain/resources.ts';
import type { SiteChoice, SiteRequests } from '../../domain/site-requests.ts';
import { decodeId } from './global-id.ts';
import { MailEventEnum } from './site-enums.ts';
import { WalltimeFields } from './walltime.input.ts';

/** Who pays and by which arrangements of its site a job runs. */
const TERMS = {
  account: 'Who pays for it, as the site names that.',
  qos: 'Quality of service, as the site names it.',
  siteReservation: "A reservation that the site's own administrators have made.",
} as const;

@InputType({ description: 'What is asked at one site; what is absent is asked as at every other site.' })
export class SiteRequestInput {
  @Field(() => ID, { description: 'The site.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Name of its queue.' })
  queue?: string | null;

  @Field(() => String, { nullable: true, description: TERMS.account })
  account?: string | null;

  @Field(() => String, { nullable: true, description: TERMS.qos })
  qos?: string | null;

  @Field(() => String, { nullable: true, description: TERMS.siteReservation })
  siteReservation?: string | null;
}

@InputType({ description: 'A variable of a job.' })
export class VariableInput {
  @Field(() => String, {
    description: 'Up to 128 letters, digits and _, not beginning with a digit, nor with GRIDCAST_.',
  })
  name!: string;

  @Field(() => String, { description: 'What it is set to; no shell ever reads it.' })
  value!: string;
}

@InputType({ description: 'When the site writes mails, and to whom.' })
export class MailInput {
  @Field(() => String, { description: 'One address.' })
  address!: string;

  @Field(() => [MailEventEnum], { defaultValue: ['END', 'FAIL'], description: 'When it writes.' })
  events!: MailRequest['events'][number][];
}

/** What work asks of its sites beside its size. */
@InputType()
export abstract class SiteRequestFields extends WalltimeFields {
  @Field(() => [SiteRequestInput], {
    nullable: true,
    description:
      'What is asked at some sites, before what is asked at every one and what admins have set there. It narrows nothing: siteIds does.',
  })
  sites?: SiteRequestInput[] | null;

  @Field(() => String, { nullable: true, description: `${TERMS.account} At every site.` })
  account?: string | null;

  @Field(() => String, { nullable: true, description: `${TERMS.qos} At every site.` })
  qos?: string | null;

  @Field(() => String, { nullable: true, description: `${TERMS.siteReservation} At every site.` })
  siteReservation?: string | null;

  @Field(() => [VariableInput], {
    nullable: true,
    description: `Variables of its environment, at most ${MOST_VARIABLES} of ${MOST_ENVIRONMENT_BYTES} bytes in all.`,
  })
  environment?: VariableInput[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Folder at the site in which it starts, a path from / on; where the site starts it when absent.',
  })
  workFolder?: string | null;

  @Field(() => MailInput, { nullable: true, description: 'Mails that the site writes of it; none when absent.' })
  mail?: MailInput | null;
}

/**
 * The same in the words of the commands, without what is not said. `path` is where it sits in the caller's input.
 * @throws CallerError INVALID when a variable is set twice
 */
export function toSiteRequests(fields: SiteRequestFields, path: string): SiteRequests {
  const { sites, environment, workFolder, mail } = fields;
  const terms = toTerms(fields);
  return {
    ...(sites?.length && { sites: sites.map((one, index) => toChoice(one, `${path}.sites[${index}]`)) }),
    ...(Object.keys(terms).length > 0 && { terms }),
    ...(environment?.length && { environment: toEnvironment(environment, `${path}.environment`) }),
    ...(typeof workFolder === 'string' && { workFolder }),
    ...(mail && { mail: { address: mail.address, events: mail.events } }),
  };
}

function toChoice({ id, queue, ...terms }: SiteRequestInput, path: string): SiteChoice {
  const siteId = decodeId(id, 'Site', `${path}.id`);
  return { siteId, ...(typeof queue === 'string' && { queue }), ...toTerms(terms) };
}

/** Who pays and by which arrangements, without what is not said. */
export function toTerms({ account, qos, siteReservation }: Partial<Record<keyof SiteTerms, string | null>>): SiteTerms {
  return {
    ...(typeof account === 'string' && { account }),
    ...(typeof qos === 'string' && { qos }),
    ...(typeof siteReservation === 'string' && { siteReservation }),
  };
}

function toEnvironment(variables: readonly VariableInput[], path: string): Record<string, string> {
  const environment = new Map<string, string>();
  for (const [index, { name, value }] of variables.entries()) {
    const field = `${path}[${index}].name`;
    if (environment.has(name)) throw new CallerError('INVALID', field, `${name} is set twice; set it once`);
    environment.set(name, value);
  }
  return Object.fromEntries(environment);
}
