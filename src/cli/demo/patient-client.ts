import type { GraphqlClient, Variables } from '../client/graphql-client.ts';
import { CliFailure, EXIT, failureOf, type UserError } from '../failure.ts';

const PAUSE_MILLISECONDS = 500;
/** An API that was killed is back in seconds; a call that it had in hand is forgotten after two minutes. */
const PATIENCE_MILLISECONDS = 150_000;

/** A client that waits while the service, one of its processes or its database is being started again. */
export function makePatient(client: GraphqlClient): GraphqlClient {
  return {
    url: client.url,
    subscribe: (document, variables) => client.subscribe(document, variables),
    request: <Data>(document: string, variables?: Variables) =>
      insist(() => client.request<Data>(document, variables), isPassing),
  };
}

/** Runs a mutation with its idempotency key until it is answered for good, whatever dies in the meantime. */
export async function mutate<Answer extends { readonly userErrors: readonly UserError[] }>(
  client: GraphqlClient,
  document: string,
  name: string,
  input: Variables & { readonly idempotencyKey: string },
): Promise<Answer> {
  const ask = async () => {
    const answer = (await client.request<Record<string, Answer>>(document, { input }))[name] as Answer;
    if (answer.userErrors.some(isInFlight)) throw failureOf(answer.userErrors);
    return answer;
  };
  return insist(ask, (error) => isPassing(error) || (error instanceof CliFailure && error.faults.some(isInFlight)));
}

/** True when the start time came while the call was waited for: it has to be asked anew, for a later one. */
export function cameTooLate(failure: CliFailure | null): boolean {
  return failure?.faults.some(({ code, field }) => code === 'INVALID' && field === 'input.startAt') ?? false;
}

function isInFlight({ code }: UserError): boolean {
  return code === 'IN_FLIGHT';
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof CliFailure)) return false;
  return (
    error.exitCode === EXIT.unreachable ||
    error.faults.some(({ code }) => code === 'UNAVAILABLE' || code.startsWith('INTERNAL'))
  );
}

async function insist<T>(ask: () => Promise<T>, passes: (error: unknown) => boolean): Promise<T> {
  const patientUntil = performance.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!passes(error) || performance.now() > patientUntil) throw error;
      await new Promise((done) => setTimeout(done, PAUSE_MILLISECONDS));
    }
  }
}
