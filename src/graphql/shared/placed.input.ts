import { Field, ID, InputType } from 'type-graphql';
import type { Placement } from '../../commands/input/placement.ts';
import { decodeIds } from './global-id.ts';
import { SiteRequestFields, toSiteRequests } from './site-requests.input.ts';

/** Where work may go, what it asks there, and how long it may run. */
@InputType()
export abstract class PlacedFields extends SiteRequestFields {
  @Field(() => [ID], { nullable: true, description: 'Sites that may take it; every site when absent. Never empty.' })
  siteIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'Sites that may not take it, whatever else is said.',
  })
  excludeSiteIds?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Tags that a site must bear to take it: software or data that it needs. See the tags of a site.',
  })
  requiredTags?: string[] | null;
}

/** The same in the words of the commands, without what is not said. `path` is where it sits in the caller's input. */
export function toPlacement(fields: PlacedFields, path: string): Placement {
  const { siteIds, excludeSiteIds, requiredTags } = fields;
  return {
    ...toSiteRequests(fields, path),
    siteIds: decodeIds(siteIds, 'Site', `${path}.siteIds`),
    ...(excludeSiteIds?.length && { excludeSiteIds: decodeIds(excludeSiteIds, 'Site', `${path}.excludeSiteIds`) }),
    ...(requiredTags?.length && { requiredTags }),
  };
}
