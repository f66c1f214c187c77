import { DOCUMENTS } from '../client/documents.ts';
import { findThing } from '../client/lookup.ts';
import { failureOf, type UserError } from '../failure.ts';
import type { Session } from '../session.ts';

const MUTATIONS = {
  Job: { document: DOCUMENTS.cancelJob, field: 'cancelJob', thing: 'job' },
  Reservation: { document: DOCUMENTS.cancelReservation, field: 'cancelReservation', thing: 'reservation' },
  CoAllocation: { document: DOCUMENTS.cancelCoAllocation, field: 'cancelCoAllocation', thing: 'coAllocation' },
} as const;

type CancelPayload = { readonly userErrors: readonly UserError[] } & Readonly<Record<string, unknown>>;

/** `gridcast cancel ID` */
export async function runCancel({ client, output }: Session, options: { key?: string }, text = ''): Promise<void> {
  const { kind, id } = await findThing(client, text);
  const { document, field, thing } = MUTATIONS[kind];
  const input = { id, idempotencyKey: options.key ?? null };
  const answer = await client.request<Record<string, CancelPayload>>(document, { input });
  const payload = answer[field];
  const failure = failureOf(payload?.userErrors ?? []);
  if (failure) throw failure;
  output.result(payload?.[thing] ?? null, () => `${id} is being cancelled; \`gridcast watch ${id}\` follows it`);
}
