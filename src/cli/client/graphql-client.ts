import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { CliFailure, EXIT, failureOf, type UserError } from '../failure.ts';

/** Where the service is and as whom it is asked. */
export interface Endpoint {
  /** Address of the service, with or without the path `/graphql`. */
  readonly url: string;
  /** Bearer token; null asks without one. */
  readonly token: string | null;
}

/** The way to the GraphQL API. */
export interface GraphqlClient {
  readonly url: string;
  /**
   * Runs a query or mutation.
   * @throws CliFailure when the service is out of reach or answers with errors
   */
  request<Data>(document: string, variables?: Variables): Promise<Data>;
  /** Yields a subscription's events until the caller stops reading; the connection is made again when it breaks. */
  subscribe<Data>(document: string, variables?: Variables): AsyncIterableIterator<Data>;
}

export type Variables = Readonly<Record<string, unknown>>;

/** What GraphQL over HTTP answers. */
interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly field?: string | null };
  }[];
}

/** Opens a client. Nothing is contacted before the first call. */
export function openClient(endpoint: Endpoint): GraphqlClient {
  const url = graphqlUrl(endpoint.url);
  return {
    url,
    async request<Data>(document: string, variables: Variables = {}): Promise<Data> {
      const response = await post(url, endpoint.token, { query: document, variables });
      return readAnswer<Data>(url, response.status, await response.text());
    },
    subscribe<Data>(document: string, variables: Variables = {}): AsyncIterableIterator<Data> {
      return subscribe<Data>(url, endpoint.token, document, variables);
    },
  };
}

/** The API's address from the service's. */
export function graphqlUrl(url: string): string {
  return url.endsWith('/graphql') ? url : `${url.replace(/\/+$/, '')}/graphql`;
}

async function post(url: string, token: string | null, body: unknown): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
    });
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** The data of an answer. @throws CliFailure for anything but data */
export function readAnswer<Data>(url: string, status: number, text: string): Data {
  const answer = parseAnswer<Data>(text);
  const errors: UserError[] = (answer?.errors ?? []).map(({ message, extensions }) => ({
    code: extensions?.code ?? 'INTERNAL',
    field: extensions?.field ?? null,
    message,
  }));
  const failure = failureOf(errors);
  if (failure) throw failure;
  if (answer?.data) return answer.data;
  const code = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' }[status];
  const refused = code && failureOf([{ code, field: null, message: `the service refused the call (HTTP ${status})` }]);
  if (refused) throw refused;
  throw new CliFailure(
    `${url} answered HTTP ${status} and no GraphQL: ${text.slice(0, 200)}`,
    EXIT.unreachable,
    'is GRIDCAST_URL the address of a Gridcast service?',
  );
}

function parseAnswer<Data>(text: string): Answer<Data> | null {
  try {
    return JSON.parse(text) as Answer<Data>;
  } catch {
    return null;
  }
}

function unreachable(url: string, error: unknown): CliFailure {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const why = cause instanceof Error ? ('code' in cause && cause.code ? String(cause.code) : cause.message) : '';
  return new CliFailure(
    `no answer from ${url}${why && ` (${why})`}`,
    EXIT.unreachable,
    'start it with `gridcast serve` or `gridcast demo`, or give its address with --url or GRIDCAST_URL',
  );
}

function subscribe<Data>(
  url: string,
  token: string | null,
  document: string,
  variables: Variables,
): AsyncIterableIterator<Data> {
  const authorization = token && `Bearer ${token}`;
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    ...(authorization && { connectionParams: { authorization } }),
    retryAttempts: 20,
    shouldRetry: () => true,
  });
  const events = client.iterate<Data>({ query: document, variables: { ...variables } });
  const ended = { done: true, value: undefined } as const;
  // Not a generator: those cannot be ended while they wait for the next event.
  return {
    async next() {
      try {
        const event = await events.next();
        return event.done ? ended : { done: false, value: readAnswer<Data>(url, 200, JSON.stringify(event.value)) };
      } catch (error) {
        throw error instanceof CliFailure ? error : unreachable(url, error);
      }
    },
    async return() {
      await events.return?.();
      await client.dispose();
      return ended;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const ANSWER_MILLISECONDS = 60_000;
