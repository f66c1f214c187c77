import { CliFailure, EXIT } from '../failure.ts';

const ANSWER_MILLISECONDS = 10_000;

/**
 * A link that signs a browser in to the console as whom the token stands for, once and within ten minutes. The code is
 * behind the `#`: browsers keep that from servers and their logs.
 * @param url of the GraphQL endpoint
 * @throws CliFailure when the service is out of reach or refuses the token
 */
export async function signInLink(url: string, token: string | null): Promise<string> {
  if (token === null) throw new CliFailure('no token', EXIT.caller, 'say --token, or set GRIDCAST_TOKEN');
  const base = url.replace(/\/graphql$/, '');
  const response = await fetch(`${base}/console/code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
  }).catch((error: Error) => {
    throw new CliFailure(`the service at ${base} does not answer (${error.message})`, EXIT.unreachable);
  });
  const { code, errors } = (await response.json()) as { code?: string; errors?: { message: string }[] };
  if (code !== undefined) return `${base}/sign-in#code=${code}`;
  throw new CliFailure(errors?.[0]?.message ?? `the service answered ${response.status}`, EXIT.caller);
}
