import { fieldName } from '../../domain/field-name.ts';
import type { SiteRequests } from '../../domain/site-requests.ts';
import type { FaultList } from './faults.ts';

/** Where work may go, and what it asks there beside its size. */
export interface Placement extends SiteRequests {
  /** Ids of the sites that may take it; empty for every site. */
  readonly siteIds: readonly string[];
  /** Ids of the sites that may not, whatever else is said; none unless told. */
  readonly excludeSiteIds?: readonly string[];
  /** Tags that a site must bear to take it; none unless told. */
  readonly requiredTags?: readonly string[];
}

/** Adds what is wrong with tags that a site bears, or has to. */
export function checkTags(faults: FaultList, tags: readonly string[], field: string): void {
  const name = fieldName(field);
  faults.require(tags.length <= MOST_TAGS, field, `${name} has ${tags.length} tags, at most ${MOST_TAGS} are accepted`);
  const odd = tags.find((tag) => !TAG.test(tag));
  faults.require(odd === undefined, field, `${RULE}; got ${JSON.stringify(odd?.slice(0, LONGEST_QUOTE))}`);
  const twice = tags.find((tag, index) => tags.indexOf(tag) !== index);
  faults.require(twice === undefined, field, `${name} names ${twice?.slice(0, LONGEST_QUOTE)} twice; name it once`);
}

const MOST_TAGS = 64;
const TAG = /^[A-Za-z0-9][A-Za-z0-9._:/+@-]{0,63}$/;
const RULE = 'a tag begins with a letter or digit and has at most 64 letters, digits and ._:/+@-';
const LONGEST_QUOTE = 80;
