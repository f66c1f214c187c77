/**
 * What Redis said, or the way to it. Of the command that it was said of it keeps the name alone: arguments hold
 * passwords and whole jobs.
 */
export class RedisFault extends Error {
  constructor(
    message: string,
    /** Of the network, or the word that an answer of Redis begins with, such as OOM. */
    readonly code: string,
    readonly command: string | null,
  ) {
    super(message);
    this.name = 'RedisFault';
  }

  /** Whether Redis was there and would not do what it was asked. */
  get isRefusal(): boolean {
    return this.message.startsWith(`${this.code} `);
  }
}

interface ClientError {
  readonly code?: unknown;
  readonly command?: { readonly name?: unknown };
}

/** An error of a Redis client as a RedisFault; what is not of Redis or the way to it stays what it is. */
export function asRedisFault(error: Error): Error {
  if (error instanceof RedisFault) return error;
  const { code, command } = error as ClientError;
  const isOfRedis = typeof code === 'string' || command !== undefined || error.name === 'ReplyError';
  if (!isOfRedis && !CLOSED.test(error.message)) return error;
  const [word = 'CLOSED'] = ANSWER.exec(error.message) ?? [];
  const name = typeof command?.name === 'string' ? command.name : null;
  return new RedisFault(error.message.replace(ARGUMENTS, ''), typeof code === 'string' ? code : word, name);
}

const CLOSED = /^Connection is closed/;
const ANSWER = /^[A-Z]+(?= )/;
/** An old Redis repeats what it was sent with a command that it does not know. */
const ARGUMENTS = /, with args beginning with:.*$/s;
