import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { SOCKET_PORT } from '../../src/main/postgres-socket.ts';

/**
 * What becomes of who comes to the door: passed on to the server; told that it is starting, as during recovery;
 * welcomed and told in the same breath that the server shuts down; cut off without a word; or let in and never
 * answered.
 */
export type DoorState = 'OPEN' | 'STARTING' | 'DYING' | 'CUT' | 'SILENT';

/**
 * A door before a PostgreSQL that can be shut, with the very bytes that a server sends when it starts, stops or
 * crashes.
 */
export interface PostgresDoor {
  readonly url: string;
  /** How many have come. */
  readonly arrivals: number;
  /**
   * Changes what happens to who comes from now on. Everybody inside is thrown out unless it is opened, or hears nothing
   * any more when it falls silent, until it does not.
   */
  turn(state: DoorState): void;
  close(): Promise<void>;
}

/** Builds a door before the database at an address. */
export async function buildPostgresDoor(databaseUrl: string): Promise<PostgresDoor> {
  const socket = join(new URL(databaseUrl).searchParams.get('host') ?? '', `.s.PGSQL.${SOCKET_PORT}`);
  const sockets = new Set<Socket>();
  let state: DoorState = 'OPEN';
  let arrivals = 0;
  const server = createServer((caller) => {
    arrivals++;
    keep(caller, sockets);
    if (state === 'OPEN') {
      const behind = keep(connect(socket), sockets);
      caller.pipe(behind).pipe(caller);
      caller.once('close', () => behind.destroy());
      behind.once('close', () => caller.destroy());
    } else if (state === 'CUT') caller.destroy();
    else if (state !== 'SILENT') {
      const lastWords = LAST_WORDS[state];
      caller.once('data', () => caller.end(lastWords));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get arrivals() {
      return arrivals;
    },
    turn(next) {
      const staysInside = next === 'OPEN' && state !== 'SILENT';
      state = next;
      if (staysInside) return;
      for (const socket of sockets) {
        if (next === 'SILENT') socket.unpipe();
        else socket.destroy();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

/** A message of PostgreSQL's protocol, version 3: its type, its length, its body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function fatal(code: string, words: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${words}`].map((field) => `${field}\0`).join('');
  return message('E', Buffer.from(`${fields}\0`));
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const LAST_WORDS = {
  STARTING: fatal('57P03', 'the database system is starting up'),
  DYING: Buffer.concat([AUTHENTICATED, READY, fatal('57P01', 'terminating connection due to administrator command')]),
};
