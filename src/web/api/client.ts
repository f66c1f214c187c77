import { createClient as createSocket } from 'graphql-ws';
import { Client, fetchExchange, subscriptionExchange } from 'urql';
import { hearClock } from './clock.ts';
import { noteRefused, signedIn } from './session.ts';
import { Store } from './store.ts';

/** Since when nothing answers, in milliseconds of this machine's clock; null while the service answers. */
export const awaySince = new Store<number | null>(null);

/** Grows whenever the way for changes was opened anew: some may have gone unheard. */
export const reconnects = new Store(0);

/** Whether the way for changes is open: then silence is noticed there, and questions need not ask for it. */
export const isFollowing = new Store(false);

const UNAUTHORIZED = 4401;
const TIMED_OUT = 4408;
const PATIENCE_MILLISECONDS = 40_000;
const PING_MILLISECONDS = 10_000;
/** A service that does not answer a ping by then is taken to be gone. */
const PONG_MILLISECONDS = 5000;

/** As fetch, noting who answers, and what that says of clocks and of who is signed in. */
async function attentiveFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const patience = AbortSignal.timeout(PATIENCE_MILLISECONDS);
    const signal = init?.signal ? AbortSignal.any([init.signal, patience]) : patience;
    const response = await fetch(input, { ...init, signal });
    awaySince.set(response.status >= 502 && response.status <= 504 ? (awaySince.get() ?? Date.now()) : null);
    hearClock(response.headers);
    if (response.status === 401) noteRefused();
    else if (response.ok) signedIn.set('YES');
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) awaySince.set(awaySince.get() ?? Date.now());
    throw error;
  }
}

/** The way for changes while it is open, and when its ping is given up. */
let way: WebSocket | null = null;
let pongTimer: ReturnType<typeof setTimeout> | undefined;

/** A service that stands still takes connections and answers nothing, so questions are no sign of it for long. */
function giveUp(): void {
  awaySince.set(awaySince.get() ?? Date.now());
  way?.close(TIMED_OUT, 'no answer to a ping');
}

const socket = createSocket({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (tries) => new Promise((go) => setTimeout(go, Math.min(10_000, 500 * 2 ** tries) * (0.5 + Math.random()))),
  keepAlive: PING_MILLISECONDS,
  on: {
    opened: (opened) => {
      way = opened as WebSocket;
    },
    ping: (isReceived) => {
      if (isReceived) return;
      pongTimer = setTimeout(giveUp, PONG_MILLISECONDS);
    },
    pong: (isReceived) => {
      if (isReceived) clearTimeout(pongTimer);
    },
    connected: (_socket, _payload, wasRetry) => {
      isFollowing.set(true);
      if (wasRetry) reconnects.set(reconnects.get() + 1);
    },
    closed: (event) => {
      clearTimeout(pongTimer);
      isFollowing.set(false);
      if ((event as CloseEvent).code === UNAUTHORIZED) noteRefused();
    },
  },
});

/** The way to the API. It keeps no answers: what is shown is as new as it says. */
export const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  fetch: attentiveFetch,
  requestPolicy: 'network-only',
  exchanges: [
    subscriptionExchange({
      forwardSubscription: ({ query, variables = {} }) => ({
        subscribe: (sink) => ({
          unsubscribe: socket.subscribe(
            { query: query ?? '', variables: variables as Record<string, unknown> },
            {
              next: (value) => sink.next(value as never),
              error: (error) => sink.error(error),
              complete: () => sink.complete(),
            },
          ),
        }),
      }),
    }),
    fetchExchange,
  ],
});
