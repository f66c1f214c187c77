import { Field, ID, InputType } from 'type-graphql';
import { HistoryFormatEnum } from '../shared/enums.ts';
import { IdempotentInput } from '../shared/idempotent.input.ts';
import { DateTime, Json } from '../shared/scalars.ts';

const TAG_RULE =
  'At most 64 tags, each a letter or digit and then up to 63 letters, digits and ._:/+@-, gaussian/16 for instance.';

@InputType({ description: 'A site to be reached through an adapter.' })
export class RegisterSiteInput extends IdempotentInput {
  @Field(() => String, { description: 'Its name, unique in the deployment.' })
  name!: string;

  @Field(() => String, { description: 'Name of the adapter.' })
  adapter!: string;

  @Field(() => Json, { description: 'What the adapter needs, as its documentation says.' })
  configuration!: unknown;

  @Field(() => [String], {
    defaultValue: [],
    description: `What it has that jobs may require, software or data. ${TAG_RULE}`,
  })
  tags!: string[];
}

@InputType({ description: 'What is to change of a site, which stays the same machine with its jobs and its past.' })
export class UpdateSiteInput extends IdempotentInput {
  @Field(() => ID, { description: 'The site.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Its new name; absent to keep the old one.' })
  name?: string | null;

  @Field(() => Json, { nullable: true, description: 'Its whole new configuration; absent to keep the old one.' })
  configuration?: unknown;

  @Field(() => [String], {
    nullable: true,
    description: `All its tags, empty for none; absent to keep the old ones. ${TAG_RULE}`,
  })
  tags?: string[] | null;
}

@InputType({ description: 'What is to be checked: a registered site, or an adapter with a configuration.' })
export class CheckSiteInput {
  @Field(() => ID, { nullable: true, description: 'The site; absent to check a configuration.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the adapter; absent with an id.' })
  adapter?: string | null;

  @Field(() => Json, { nullable: true, description: 'What the adapter needs; absent with an id.' })
  configuration?: unknown;
}

@InputType({ description: 'Takes a site its right to new work, or gives it back.' })
export class DrainSiteInput extends IdempotentInput {
  @Field(() => ID, { description: 'The site.' })
  id!: string;

  @Field(() => Boolean, { defaultValue: true, description: 'False to give it work again.' })
  drain!: boolean;
}

@InputType({ description: 'A site that is not to be used any more.' })
export class RemoveSiteInput extends IdempotentInput {
  @Field(() => ID, { description: 'The site.' })
  id!: string;

  @Field(() => Boolean, { defaultValue: false, description: 'Whether jobs of ours that are there are cancelled.' })
  endJobs!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether a site goes at once that is being removed and does not answer: jobs of ours that may be there end as LOST.',
  })
  force!: boolean;
}

@InputType({ description: 'An import that is to be taken back.' })
export class UndoImportInput extends IdempotentInput {
  @Field(() => ID, { description: 'The import.' })
  id!: string;
}

@InputType({ description: "A log of a site's past, to be learned from." })
export class ImportHistoryInput extends IdempotentInput {
  @Field(() => ID, { description: 'The site.' })
  siteId!: string;

  @Field(() => HistoryFormatEnum, {
    nullable: true,
    description: 'Format that the log must be of; told by how it begins when absent.',
  })
  format?: 'SWF' | 'CSV' | 'SACCT' | null;

  @Field(() => String, { description: 'The log as text, or gzip in base64.' })
  content!: string;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'The moment that the log calls 0, which in accounting is its first submission; the log itself tells it when absent.',
  })
  originAt?: Date | null;
}
