import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import DataLoader from 'dataloader';
import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type Context, handleProtocols, type SubscribePayload } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { findPrincipalsBySessions } from '../store/console-passes.ts';
import type { Principal } from '../store/principals.ts';
import { authenticate } from './authenticate.ts';
import type { ChangeHub } from './change-hub.ts';
import { type ApiContext, commandsOf, createContext } from './context.ts';
import { presentErrors, unauthenticated } from './errors.ts';
import { assertBounded } from './input/assert-bounded.ts';
import { inputBounds } from './input/input-bounds.ts';
import type { ApiOptions } from './options.ts';
import { assertAffordable, LIMIT_RULES, QUERY_LIMITS } from './query-limits.ts';
import { subscribeShared } from './shared-answers.ts';
import { type Connection, serveSockets } from './socket-server.ts';

/** Whoever is at the other end, once the connection is acknowledged. */
interface Caller extends Record<PropertyKey, unknown> {
  principal: Principal;
  authorization: unknown;
  requestId: string;
}

type Socket = Context<Record<string, unknown>, Connection & Partial<Caller>>;

const NEVER = new AbortController().signal;
const MAX_MESSAGE_BYTES = 64 << 10;
const MAX_SUBSCRIPTIONS = 50;

/** How long a connection that nothing is sent over may outlive its token. */
const RECHECK_MILLISECONDS = 10_000;
const NOT_GOOD = 'the bearer token or session is not good any more';

/** Code of graphql-ws for a connection that is not let in. */
const UNAUTHORIZED = 4401;

/** Code of our own, which clients of graphql-ws try again after. */
const BUSY = 4503;

/** The part of the API that speaks graphql-ws: subscriptions, for callers whose connection parameters carry a token. */
export function serveSubscriptions(
  httpServer: Server,
  schema: GraphQLSchema,
  api: ApiOptions,
  changes: ChangeHub,
): { close(): Promise<void> } {
  const options = { ...api, findSession: findSessionsTogether(api) };
  const sockets = new WebSocketServer({
    ...{ server: httpServer, path: '/graphql', maxPayload: MAX_MESSAGE_BYTES },
    ...{ handleProtocols, autoPong: false },
  });
  const { logger } = options;
  const open: OpenSockets = { ofTenants: new Map(), admitted: new Set() };
  // All at once, so that their sessions are looked at by one question.
  const rechecking = setInterval(() => {
    // While the database is away nobody is judged; the next look does.
    for (const socket of open.admitted) throwOutIfRefused(options, socket).catch(() => undefined);
  }, RECHECK_MILLISECONDS);
  const requestIdOf = (socket: Socket) => socket.extra.requestId ?? '';
  const serving = serveSockets<Caller>(sockets, {
    logger,
    isAdmitted: ({ principal }) => principal !== undefined,
    options: {
      subscribe: subscribeShared(changes),
      onConnect: (socket) => admit(options, open, socket),
      onSubscribe: (socket, _id, payload) => prepare(schema, options, changes, socket, payload),
      onError: (socket, _id, _payload, errors) => presentErrors(errors as GraphQLError[], requestIdOf(socket), logger),
      onNext: (socket, _id, _payload, _args, result) => {
        if (!result.errors) return undefined;
        const errors = presentErrors(result.errors as GraphQLError[], requestIdOf(socket), logger);
        return { ...result, errors } as never;
      },
    },
  });
  return {
    async close() {
      clearInterval(rechecking);
      await serving.close();
    },
  };
}

/** Options, and how it is found out for whom a session is open. */
type SocketOptions = ApiOptions & { findSession(session: string): Promise<Principal | null> };

/** A hundred consoles that are told of the same change are looked at by one question. */
function findSessionsTogether({ database, clock }: ApiOptions): SocketOptions['findSession'] {
  const loader = new DataLoader<string, Principal | null>(
    (sessions) => findPrincipalsBySessions(database.db, sessions, clock.now()),
    { cache: false, maxBatchSize: 1000 },
  );
  return (session) => loader.load(session);
}

/** The connections that are open. */
interface OpenSockets {
  /** How many each tenant has, by its id. */
  readonly ofTenants: Map<string, number>;
  /** Those whose callers are known. */
  readonly admitted: Set<Socket>;
}

async function admit(options: SocketOptions, open: OpenSockets, socket: Socket): Promise<boolean> {
  const authorization = socket.connectionParams?.authorization;
  const authentication = await authenticate(options, authorization, socket.extra.request.headers);
  if (authentication.kind !== 'KNOWN') {
    const reason = authentication.kind === 'REFUSED' ? authentication.reason : 'connectionParams need an authorization';
    socket.extra.socket.close(UNAUTHORIZED, `UNAUTHENTICATED: ${reason}`);
    return false;
  }
  const { principal } = authentication;
  if (!takePlace(open.ofTenants, principal.tenantId, options.limits.maxSockets, socket.extra.socket)) return false;
  socket.extra.principal = principal;
  socket.extra.authorization = authorization;
  socket.extra.requestId = randomUUID();
  open.admitted.add(socket);
  socket.extra.socket.once('close', () => open.admitted.delete(socket));
  return true;
}

/**
 * Counts a connection of a tenant as long as it is open. One too many is closed; false then, and when it has gone
 * meanwhile.
 */
function takePlace(open: Map<string, number>, tenantId: string, most: number, socket: WebSocket): boolean {
  if (socket.readyState !== socket.OPEN) return false;
  const count = open.get(tenantId) ?? 0;
  if (count >= most) {
    socket.close(BUSY, `BUSY: ${count} connections of your tenant are open, at most ${most} may be; close some first`);
    return false;
  }
  open.set(tenantId, count + 1);
  socket.once('close', () => {
    const left = (open.get(tenantId) ?? 0) - 1;
    if (left > 0) open.set(tenantId, left);
    else open.delete(tenantId);
  });
  return true;
}

/** Ends a connection whose token has expired or was revoked. */
async function throwOutIfRefused(options: SocketOptions, socket: Socket): Promise<void> {
  const { extra } = socket;
  const { kind } = await authenticate(options, extra.authorization, extra.request.headers);
  if (kind !== 'KNOWN') showOut(socket);
}

function showOut({ extra }: Socket): void {
  extra.socket.close(UNAUTHORIZED, `UNAUTHENTICATED: ${NOT_GOOD}`);
}

/** Judges an operation as one that came over HTTP would be, and gives it a context of its own. */
function prepare(
  schema: GraphQLSchema,
  options: SocketOptions,
  changes: ChangeHub,
  socket: Socket,
  payload: SubscribePayload,
): ExecutionArgs | readonly GraphQLError[] {
  try {
    const document = parse(payload.query, { maxTokens: QUERY_LIMITS.tokens });
    const faults = validate(schema, document, [...specifiedRules, ...LIMIT_RULES]);
    if (faults.length > 0) return faults;
    const operation = getOperationAST(document, payload.operationName);
    if (operation?.operation !== 'subscription') {
      return [new GraphQLError('only subscriptions are served here; send queries and mutations over HTTP')];
    }
    if (Object.keys(socket.subscriptions).length > MAX_SUBSCRIPTIONS) {
      const message = `at most ${MAX_SUBSCRIPTIONS} subscriptions share a connection; end some first`;
      return [new GraphQLError(message, { extensions: { code: 'BUSY', field: null } })];
    }
    const variableValues = payload.variables ?? {};
    assertBounded(schema, document, operation, variableValues, inputBounds(options.limits));
    assertAffordable(schema, document, operation, variableValues);
    const operationName = payload.operationName ?? null;
    const contextValue = contextOf(options, changes, socket);
    logSubscription(options, socket, operation.name?.value ?? null);
    return { schema, document, variableValues, operationName, contextValue };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

function contextOf(options: SocketOptions, changes: ChangeHub, socket: Socket): ApiContext {
  const { principal = null, requestId = '' } = socket.extra;
  const commands = commandsOf(options, requestId, principal, NEVER);
  const { authorization, request } = socket.extra;
  const { cookie, origin, host, 'sec-fetch-site': site } = request.headers;
  const door = JSON.stringify([authorization, cookie, origin, host, site]);
  const recheck = async () => {
    const { kind } = await changes.lookOnce(door, () => authenticate(options, authorization, request.headers));
    if (kind === 'KNOWN') return;
    showOut(socket);
    throw unauthenticated(NOT_GOOD);
  };
  return createContext({ principal, commands, changes, recheck, cutOff: null });
}

function logSubscription({ logger }: ApiOptions, { extra }: Socket, operationName: string | null): void {
  const { requestId, principal } = extra;
  const who = { tenant: principal?.tenantName ?? null, principal: principal?.name ?? null };
  logger.info({ requestId, operationName, operation: 'subscription', ...who }, 'graphql');
}
