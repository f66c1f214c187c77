import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { formatExactSeconds } from '../../domain/duration.ts';
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
    readonly extensions?: { readonly code?: string; readonly field?: string | null; readonly requestId?: string };
  }[];
}

/** Opens a client. Nothing is contacted before the first call. */
export function openClient(endpoint: Endpoint): GraphqlClient {
  const url = graphqlUrl(endpoint.url);
  return {
    url,
    async request<Data>(document: string, variables: Variables = {}): Promise<Data> {
      const { status, text } = await post(url, endpoint.token, { query: document, variables });
      return readAnswer<Data>(url, status, text);
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

/**
 * What an address of the service answers to some JSON.
 * @throws CliFailure when nothing answers, or not to the end
 */
export async function post(
  url: string,
  token: string | null,
  body: unknown,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_SECONDS * 1000),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** The data of an answer. @throws CliFailure for anything but data */
export function readAnswer<Data>(url: string, status: number, text: string): Data {
  const answer = parseAnswer<Answer<Data>>(text);
  const errors: UserError[] = (answer?.errors ?? []).map(({ message, extensions }) => ({
    code: extensions?.code ?? 'INTERNAL',
    field: extensions?.field ?? null,
    message: extensions?.requestId === undefined ? message : `${message} (request ${extensions.requestId})`,
  }));
  const failure = failureOf(errors);
  if (failure) throw failure;
  if (answer?.data) return answer.data;
  const code = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' }[status];
  const refused = code && failureOf([{ code, field: null, message: `the service refused the call (HTTP ${status})` }]);
  if (refused) throw refused;
  throw notGridcast(url, status, 'GraphQL', text);
}

/** Something answers that is no Gridcast service. @param wanted what it should have answered */
export function notGridcast(url: string, status: number, wanted: string, text: string): CliFailure {
  return new CliFailure(
    `${url} answered HTTP ${status} and no ${wanted}: ${text.slice(0, 200)}`,
    EXIT.unreachable,
    'is GRIDCAST_URL the address of a Gridcast service?',
  );
}

/** What a text in JSON says; null of any other text. */
export function parseAnswer<Data>(text: string): Data | null {
  try {
    return JSON.parse(text) as Data;
  } catch {
    return null;
  }
}

function unreachable(url: string, error: unknown): CliFailure {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return new CliFailure(
      `no answer from ${url} within ${formatExactSeconds(ANSWER_SECONDS)}`,
      EXIT.unreachable,
      'try again, or ask its log',
    );
  }
  const why = cause instanceof Error ? wordOf(cause) : '';
  return new CliFailure(
    `no answer from ${url}${why && ` (${why})`}`,
    EXIT.unreachable,
    'start it with `gridcast serve` or `gridcast demo`, or give its address with --url or GRIDCAST_URL',
  );
}

/** The code of a fault, which is shorter than its sentence. */
function wordOf(fault: Error): string {
  return 'code' in fault && typeof fault.code === 'string' && fault.code !== '' ? fault.code : fault.message;
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

const ANSWER_SECONDS = 60;
