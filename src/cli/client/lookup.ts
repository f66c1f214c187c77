import { CliFailure, EXIT } from '../failure.ts';
import type { CoAllocationAnswer, JobAnswer, Named, ReservationAnswer } from './answers.ts';
import { DOCUMENTS } from './documents.ts';
import type { GraphqlClient } from './graphql-client.ts';

/** The things that have an id and a life. */
export type Thing =
  | { readonly kind: 'Job'; readonly value: JobAnswer }
  | { readonly kind: 'Reservation'; readonly value: ReservationAnswer }
  | { readonly kind: 'CoAllocation'; readonly value: CoAllocationAnswer };

const KINDS = ['Job', 'Reservation', 'CoAllocation'] as const;

/** What a person calls by its id. */
export interface Found {
  readonly kind: Thing['kind'];
  /** Whole. */
  readonly id: string;
}

/**
 * The thing of an id, or of its beginning or end where only one has it among the newest thousand of each kind.
 * @throws CliFailure listing the candidates where there are several, or when there is none
 */
export async function findThing(client: GraphqlClient, text: string): Promise<Found> {
  const { node } = await client.request<{ node: { __typename: string } | null }>(DOCUMENTS.kind, { id: text });
  const kind = KINDS.find((name) => name === node?.__typename);
  if (kind) return { kind, id: text };
  if (node?.__typename === 'JobGroup') {
    const remedy = `\`gridcast jobs --group ${text}\` lists them, \`gridcast wait\` waits for them, \`gridcast cancel-jobs --group\` cancels them`;
    throw new CliFailure(`${text} is a group of jobs and none itself`, EXIT.caller, remedy);
  }
  const found = text.length < SHORTEST_PART ? [] : await findByPart(client, text);
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (only) throw ambiguous(text, found);
  throw new CliFailure(
    `there is no job, reservation or co-allocation "${text}"`,
    EXIT.caller,
    `give the whole id, or at least ${SHORTEST_PART} characters of its beginning or end; \`gridcast status\` lists what your token may see`,
  );
}

function ambiguous(text: string, found: readonly NamedThing[]): CliFailure {
  const shown = found.slice(0, MOST_CANDIDATES).map(({ kind, id, name }) => `  ${id}  ${NOUNS[kind]} ${name}`);
  if (found.length > shown.length) shown.push(`  and ${found.length - shown.length} more`);
  return new CliFailure(`"${text}" may be\n${shown.join('\n')}`, EXIT.caller, 'give more characters of the id');
}

interface NamedThing extends Found {
  readonly name: string;
}

/** One page of one kind of thing. */
interface Page {
  readonly edges: readonly { readonly node: { readonly id: string; readonly name?: string; readonly job?: Named } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function findByPart(client: GraphqlClient, text: string): Promise<NamedThing[]> {
  const found = await Promise.all(KINDS.map((kind) => newestOf(client, kind)));
  return found.flat().filter(({ id }) => id.startsWith(text) || id.endsWith(text));
}

async function newestOf(client: GraphqlClient, kind: Thing['kind']): Promise<NamedThing[]> {
  const things: NamedThing[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer: { page: Page } = await client.request(ID_LISTS[kind], { after });
    const { edges, pageInfo } = answer.page;
    for (const { node } of edges) things.push({ kind, id: node.id, name: node.name ?? node.job?.name ?? '' });
    after = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) break;
  }
  return things;
}

const ID_LISTS = {
  Job: DOCUMENTS.jobIds,
  Reservation: DOCUMENTS.reservationIds,
  CoAllocation: DOCUMENTS.coAllocationIds,
} as const;
const NOUNS = { Job: 'job', Reservation: 'reservation', CoAllocation: 'co-allocation' } as const;

const SHORTEST_PART = 4;
const MOST_PAGES = 10;
const MOST_CANDIDATES = 10;

/** Reads one thing whole. @throws CliFailure when it does not exist */
export async function readThing(client: GraphqlClient, kind: Thing['kind'], id: string): Promise<Thing> {
  const { thing } = await readByKind(client, kind, id);
  if (thing) return thing;
  throw new CliFailure(`${kind} ${id} does not exist`, EXIT.caller);
}

async function readByKind(client: GraphqlClient, kind: Thing['kind'], id: string): Promise<{ thing: Thing | null }> {
  if (kind === 'Job') {
    const { job } = await client.request<{ job: JobAnswer | null }>(DOCUMENTS.job, { id });
    return { thing: job && { kind, value: job } };
  }
  if (kind === 'Reservation') {
    const { reservation } = await client.request<{ reservation: ReservationAnswer | null }>(DOCUMENTS.reservation, {
      id,
    });
    return { thing: reservation && { kind, value: reservation } };
  }
  const { coAllocation } = await client.request<{ coAllocation: CoAllocationAnswer | null }>(DOCUMENTS.coAllocation, {
    id,
  });
  return { thing: coAllocation && { kind, value: coAllocation } };
}
