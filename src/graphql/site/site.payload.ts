import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Payload } from '../shared/payload.ts';
import { ImportRemark } from './import.type.ts';
import { Site } from './site.type.ts';
import { SiteCheck } from './site-check.type.ts';

@ObjectType({ description: 'Answer of registerSite, updateSite, drainSite, removeSite and setSiteDefaults.' })
export class SitePayload extends Payload {
  @Field(() => Site, { nullable: true, description: 'The site; null when nothing was done.' })
  site?: Site | null;
}

@ObjectType({ description: 'Answer of checkSite.' })
export class CheckSitePayload extends Payload {
  @Field(() => SiteCheck, { nullable: true, description: 'What was found; null when nothing was tried.' })
  check?: SiteCheck | null;
}

@ObjectType({ description: 'Answer of undoImport.' })
export class UndoImportPayload extends Payload {
  @Field(() => Site, { nullable: true, description: 'The site; null when nothing was done.' })
  site?: Site | null;

  @Field(() => Int, { nullable: true, description: 'Records that are gone.' })
  removed?: number | null;
}

@ObjectType({ description: 'Answer of importHistory.' })
export class ImportHistoryPayload extends Payload {
  @Field(() => Site, { nullable: true, description: 'The site; null when nothing was done.' })
  site?: Site | null;

  @Field(() => ID, { nullable: true, description: 'By which it can be undone; null when nothing was done.' })
  importId?: string | null;

  @Field(() => Int, { nullable: true, description: 'Jobs that were new.' })
  imported?: number | null;

  @Field(() => Int, { nullable: true, description: 'Known jobs that the log knew more about.' })
  changed?: number | null;

  @Field(() => Int, { nullable: true, description: 'Jobs that brought nothing new, or that history cannot have.' })
  skipped?: number | null;

  @Field(() => [ImportRemark], {
    nullable: true,
    description: 'What was left out or changed on the way, the most frequent first; null when nothing was done.',
  })
  remarks?: ImportRemark[] | null;
}
