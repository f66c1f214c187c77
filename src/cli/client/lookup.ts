import { CliFailure, EXIT } from '../failure.ts';
import type { CoAllocationAnswer, JobAnswer, ReservationAnswer } from './answers.ts';
import { DOCUMENTS } from './documents.ts';
import type { GraphqlClient } from './graphql-client.ts';

/** The things that have an id and a life. */
export type Thing =
  | { readonly kind: 'Job'; readonly value: JobAnswer }
  | { readonly kind: 'Reservation'; readonly value: ReservationAnswer }
  | { readonly kind: 'CoAllocation'; readonly value: CoAllocationAnswer };

/** What kind of thing bears an id. @throws CliFailure when the token may see none */
export async function findKind(client: GraphqlClient, id: string): Promise<Thing['kind']> {
  const { node } = await client.request<{ node: { __typename: string } | null }>(DOCUMENTS.kind, { id });
  const kind = KINDS.find((name) => name === node?.__typename);
  if (kind) return kind;
  throw new CliFailure(
    `there is no job, reservation or co-allocation ${id}`,
    EXIT.caller,
    '`gridcast status` lists what your token may see',
  );
}

const KINDS = ['Job', 'Reservation', 'CoAllocation'] as const;

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
