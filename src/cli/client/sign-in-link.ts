import { CliFailure, EXIT } from '../failure.ts';
import { notGridcast, parseAnswer, post } from './graphql-client.ts';

/**
 * A link that signs a browser in to the console as whom the token stands for, once and within ten minutes. The code is
 * behind the `#`: browsers keep that from servers and their logs.
 * @param url of the GraphQL endpoint
 * @throws CliFailure when the service is out of reach or refuses the token
 */
export async function signInLink(url: string, token: string | null): Promise<string> {
  if (token === null) throw new CliFailure('no token', EXIT.caller, 'say --token, or set GRIDCAST_TOKEN');
  const base = url.replace(/\/graphql$/, '');
  const address = `${base}/console/code`;
  const { status, text } = await post(address, token, {});
  const answer = parseAnswer<{ code?: string; errors?: { message: string }[] }>(text);
  if (typeof answer !== 'object' || answer === null) throw notGridcast(address, status, 'code', text);
  if (answer.code !== undefined) return `${base}/sign-in#code=${answer.code}`;
  throw new CliFailure(answer.errors?.[0]?.message ?? `the service answered ${status}`, EXIT.caller);
}
