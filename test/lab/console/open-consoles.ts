import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { askAs } from '../compare/told-execution.ts';

/** As often as an open console asks who it is, and so hears the clock. */
const HEARTBEAT_MILLISECONDS = 10_000;
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
 * Opens what so many consoles that show jobs keep open: a socket each with their subscription, and a question every ten
 * seconds. Browsers would take more of the machine than what is measured.
 * @param tokens taken in turn: of one tenant only so many sockets are served
 */
export function openConsoles(url: string, tokens: readonly string[], count: number): OpenConsoles {
  let told = 0;
  const opened = Array.from({ length: count }, (_, index) => {
    const token = tokens[index % tokens.length] ?? '';
    const client = createClient({
      url: url.replace(/^http/, 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      lazy: false,
    });
    client.subscribe({ query: CHANGED }, { next: () => told++, error: () => undefined, complete: () => undefined });
    const ask = askAs(url, token);
    const beat = () => void ask('query Viewer { viewer { name role tenant } }', {}).catch(() => undefined);
    const first = setTimeout(beat, (HEARTBEAT_MILLISECONDS * index) / count);
    const timer = setInterval(beat, HEARTBEAT_MILLISECONDS);
    return { client, timer, first };
  });
  return {
    told: () => told,
    async close() {
      for (const { client, timer, first } of opened) {
        clearTimeout(first);
        clearInterval(timer);
        await client.dispose();
      }
    },
  };
}
