import { Store } from './store.ts';

/** Who is at the page: nobody knows yet, somebody, nobody, or somebody whose session is over. */
type SignedIn = 'UNKNOWN' | 'YES' | 'NO' | 'EXPIRED';

export const signedIn = new Store<SignedIn>('UNKNOWN');

/** A service that does not answer by then is told of. */
const PATIENCE_MILLISECONDS = 40_000;

const KEY = 'gridcast.signed-in';

/** Whether somebody was signed in here when the page was last open: then its view need not wait for the answer who. */
export const wasSignedIn = localStorage.getItem(KEY) !== null;

signedIn.subscribe(() => {
  if (signedIn.get() === 'YES') localStorage.setItem(KEY, 'yes');
  else if (signedIn.get() === 'NO') localStorage.removeItem(KEY);
});

/** An answer that nobody is signed in: news to whoever was. */
export function noteRefused(): void {
  signedIn.set(signedIn.get() === 'YES' || signedIn.get() === 'EXPIRED' ? 'EXPIRED' : 'NO');
}

/** Trades the code of a link, or a token, for a session. What went wrong, in a sentence; null when nothing did. */
export function signIn(secret: { code: string } | { token: string }): Promise<string | null> {
  return post('/console/sign-in', secret);
}

export function signOut(): Promise<string | null> {
  return post('/console/sign-out', {});
}

async function post(path: string, body: object): Promise<string | null> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    });
    if (response.ok) return null;
    const { errors } = (await response.json()) as { errors: { message: string }[] };
    return errors[0]?.message ?? `the service answered ${response.status}`;
  } catch {
    return 'the service does not answer; is it running?';
  }
}
