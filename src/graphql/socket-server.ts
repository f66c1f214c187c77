import type { IncomingMessage } from 'node:http';
import {
  CloseCode,
  MessageType,
  makeServer,
  type ServerOptions,
  type WebSocket as SpokenOver,
  stringifyMessage,
} from 'graphql-ws';
import type { Logger } from 'pino';
import type { RawData, WebSocket, WebSocketServer } from 'ws';

/** What is known of a connection from its beginning. */
export interface Connection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
}

/** How a connection is served. */
interface Serving<Known> {
  readonly options: ServerOptions<Record<string, unknown>, Connection & Partial<Known>>;
  /** Whether it is known who is at the other end: before that nothing but the first message is heard. */
  readonly isAdmitted: (connection: Connection & Partial<Known>) => boolean;
  readonly logger: Logger;
}

/**
 * Speaks graphql-ws over WebSockets. What is kept for a connection is bounded: one over which more comes in than may
 * (`TALK`), or that does not take what it is sent, is cut off without a word, as a word would wait behind the rest.
 */
export function serveSockets<Known extends Record<PropertyKey, unknown>>(
  sockets: WebSocketServer,
  { options, isAdmitted, logger }: Serving<Known>,
): { close(): Promise<void> } {
  const server = makeServer(options);
  sockets.on('error', (error) => logger.error({ err: error }, 'the server of WebSockets failed'));
  sockets.on('connection', (socket, request) => {
    const connection = { socket, request } as Connection & Partial<Known>;
    // A broken frame or connection is the other end's, and is followed by the close.
    socket.on('error', (error) => logger.debug({ err: error }, 'a WebSocket failed'));
    const watch = keepWatch(socket);
    const closed = server.opened(
      spokenOver(socket, () => isAdmitted(connection), logger),
      connection,
    );
    socket.once('close', (code, reason) => {
      clearInterval(watch);
      void closed(code, String(reason));
    });
  });
  return {
    async close() {
      for (const client of sockets.clients) client.close(GOING_AWAY, 'Going away');
      sockets.removeAllListeners();
      await new Promise<void>((resolve, reject) => sockets.close((error) => (error ? reject(error) : resolve())));
    },
  };
}

/** A connection as graphql-ws speaks over it. Before it is known who is there only one message is heard. */
function spokenOver(socket: WebSocket, isKnown: () => boolean, logger: Logger): SpokenOver {
  const talk = new Talk(performance.now());
  let isBegun = false;
  const hears = () => {
    if (socket.readyState !== socket.OPEN) return false;
    if (canTake(socket) && talk.hears(performance.now())) return true;
    socket.terminate();
    return false;
  };
  socket.on('ping', (data) => {
    if (hears()) socket.pong(data);
  });
  const hear = async (text: string, handle: (text: string) => Promise<void>) => {
    if (!hears()) return;
    if (isBegun && !isKnown()) return socket.close(CloseCode.Unauthorized, 'Unauthorized');
    isBegun = true;
    try {
      await handle(text);
    } catch (error) {
      logger.error({ err: error }, 'a message of a WebSocket could not be handled');
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    }
  };
  return {
    protocol: socket.protocol,
    send: (data) => sendOver(socket, data),
    close: (code, reason) => socket.close(code, reason),
    onMessage: (handle) => socket.on('message', (data: RawData) => void hear(String(data), handle)),
    // Without its payload: nobody has us say what they like for as long as they like.
    onPing: () => sendOver(socket, stringifyMessage({ type: MessageType.Pong })),
  };
}

/** How much may come in over a connection: so many messages at once, and so many a second. */
const TALK = { messages: 200, perSecond: 50 };

/** Counts what comes in, and forgets it as time goes by. */
class Talk {
  private left = TALK.messages;

  /** @param heardAt a monotonic moment, in milliseconds */
  constructor(private heardAt: number) {}

  /** Takes one more message in; false when it is one too many. */
  hears(now: number): boolean {
    const forgotten = ((now - this.heardAt) / 1000) * TALK.perSecond;
    this.left = Math.min(TALK.messages, this.left + forgotten) - 1;
    this.heardAt = now;
    return this.left >= 0;
  }
}

/** Whoever takes nothing gets no more. Fifty answers of 100 kB, as many as a connection may wait for, are less. */
const MOST_BUFFERED_BYTES = 8 << 20;

function canTake({ bufferedAmount }: WebSocket): boolean {
  return bufferedAmount <= MOST_BUFFERED_BYTES;
}

/** Done when it has been taken, or the other end has gone. */
function sendOver(socket: WebSocket, data: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  if (!canTake(socket)) {
    socket.terminate();
    return Promise.resolve();
  }
  return new Promise((resolve) => socket.send(data, () => resolve()));
}

const KEEP_ALIVE_MILLISECONDS = 12_000;
const GOING_AWAY = 1001;

/** Asks the other end again and again whether it is there; one that does not say so until the next time is cut off. */
function keepWatch(socket: WebSocket): ReturnType<typeof setInterval> {
  let isThere = true;
  socket.on('pong', () => {
    isThere = true;
  });
  return setInterval(() => {
    if (!isThere || !canTake(socket)) return socket.terminate();
    isThere = false;
    socket.ping();
  }, KEEP_ALIVE_MILLISECONDS);
}
