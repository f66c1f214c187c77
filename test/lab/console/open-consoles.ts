import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

/** As often as an open console that follows changes asks who it is, which tells the clock, and as often as it pings. */
const HEARTBEAT_MILLISECONDS = 30_000;
const PING_MILLISECONDS = 10_000;
const CHANGED = `subscription JobsChanged { jobChanged {
  id name state outcome reason owner processors walltimeSeconds queue site { id name } labels { name value }
  createdAt submitAt submittedAt startedAt endedAt waitSeconds reservation { id }
} }`;

/** Consoles that show jobs. */
export interface OpenConsoles {
  /** Changes that they were told of so far, all together. */
  told(): number;
  close(): Promise<void>;
}

/**
 * Opens what so many consoles that show jobs keep open: a session each, a socket with their subscription, and a
 * question every thirty seconds. Browsers would take more of the machine than what is measured.
 * @param tokens taken in turn: of one tenant only so many sockets are served, of one token only so many sessions
 */
export async function openConsoles(url: string, tokens: readonly string[], count: number): Promise<OpenConsoles> {
  let told = 0;
  const opened: { close(): Promise<void> }[] = [];
  for (let index = 0; index < count; index++) {
    const headers = await signIn(url, tokens[index % tokens.length] ?? '');
    opened.push(openOne(url, headers, (HEARTBEAT_MILLISECONDS * index) / count, () => told++));
  }
  return {
    told: () => told,
    async close() {
      for (const one of opened) await one.close();
    },
  };
}

/** What a browser sends that a token has signed in. */
async function signIn(url: string, token: string): Promise<Record<string, string>> {
  const { origin } = new URL(url);
  const headers = { 'content-type': 'application/json', origin };
  const body = JSON.stringify({ token });
  const answer = await fetch(`${origin}/console/sign-in`, { method: 'POST', headers, body });
  const [cookie] = answer.headers.getSetCookie();
  if (!cookie) throw new Error(`nobody was signed in: ${answer.status}`);
  return { cookie: cookie.replace(/;.*/, ''), origin };
}

function openOne(url: string, headers: Record<string, string>, firstMilliseconds: number, onTold: () => void) {
  class Socket extends WebSocket {
    constructor(address: string, protocol: string) {
      super(address, protocol, { headers });
    }
  }
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: Socket,
    lazy: false,
    keepAlive: PING_MILLISECONDS,
  });
  client.subscribe({ query: CHANGED }, { next: onTold, error: () => undefined, complete: () => undefined });
  const body = JSON.stringify({ query: 'query Viewer { viewer { name role tenant } }' });
  const asked = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const beat = () =>
    void fetch(url, asked).then(
      (answer) => answer.text(),
      () => undefined,
    );
  const first = setTimeout(beat, firstMilliseconds);
  const timer = setInterval(beat, HEARTBEAT_MILLISECONDS);
  return {
    async close() {
      clearTimeout(first);
      clearInterval(timer);
      await client.dispose();
    },
  };
}
