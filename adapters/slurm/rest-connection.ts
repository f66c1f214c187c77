import { Pool } from 'undici';
import { z } from 'zod';
import { type FaultCode, Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { ServiceStanding } from '../../src/domain/site-service.ts';
import { codeOfWords } from '../shared/fault-code.ts';
import { ExchangeFailure, type ExchangeLimits, exchange } from '../shared/http-exchange.ts';
import { SiteGuard } from '../shared/site-guard.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import { readToken } from './token.ts';

type RestTransport = Extract<ResolvedSlurmConfig['transport'], { kind: 'rest' }>;
type RestLimits = Pick<
  ResolvedSlurmConfig,
  | 'timeoutMilliseconds'
  | 'outputLimitCharacters'
  | 'maxConcurrent'
  | 'maxWaiting'
  | 'failuresInARow'
  | 'coolDownMilliseconds'
  | 'maxWaitMilliseconds'
>;

/** What slurmrestd answered. */
export interface RestAnswer {
  readonly status: number;
  readonly document: unknown;
  /** The errors inside the document, which may have some even when the status is 200; empty when all is well. */
  readonly words: string;
  /** Slurm's number of the first error; null without one. */
  readonly errorCode: number | null;
}

/** Versions of slurmrestd's interface that are understood, newest first. */
const VERSIONS = ['v0.0.38', 'v0.0.37', 'v0.0.36'] as const;
export type RestVersion = (typeof VERSIONS)[number];

/** Kept-alive connections to one slurmrestd, as one user by a token that is read from its file every time. */
export class RestConnection {
  private readonly pool: Pool;
  private readonly guard: SiteGuard;
  private negotiated: Promise<RestVersion> | null = null;
  private acceptedToken: string | null = null;
  private readonly limits: ExchangeLimits;

  constructor(
    private readonly transport: RestTransport,
    limits: RestLimits,
  ) {
    this.guard = new SiteGuard(this.place, limits);
    const { timeoutMilliseconds, outputLimitCharacters: answerLimitBytes } = limits;
    this.limits = { timeoutMilliseconds, answerLimitBytes };
    this.pool = new Pool(transport.url, {
      connections: limits.maxConcurrent,
      connect: {
        timeout: Math.min(limits.timeoutMilliseconds, CONNECT_TIMEOUT_MILLISECONDS),
        ...(transport.socketPath === undefined ? {} : { socketPath: transport.socketPath }),
      },
    });
  }

  /** For messages. */
  get place(): string {
    return `slurmrestd at ${this.transport.socketPath ?? this.transport.url}`;
  }

  /** The newest interface that both sides know, found out once. */
  version(): Promise<RestVersion> {
    this.negotiated ??= this.negotiate().catch((error: unknown) => {
      this.negotiated = null;
      throw error;
    });
    return this.negotiated;
  }

  /**
   * Asks something of `slurm` or `slurmdb`.
   * @throws Unavailable when there is no answer; nothing has happened
   */
  async ask<Answer>(
    part: 'slurm' | 'slurmdb',
    path: string,
    understand: (answer: RestAnswer) => Answer,
  ): Promise<Answer> {
    const url = `/${part}/${await this.version()}${path}`;
    return this.guard.run(part, async () => understand(await this.read(url, await this.readToken())));
  }

  /**
   * Orders something of `slurm`.
   * @throws Unavailable when it certainly was not received, Unknown when there is no answer for any other reason
   */
  async change<Answer>(
    method: 'POST' | 'DELETE',
    path: string,
    body: unknown,
    understand: (answer: RestAnswer) => Answer,
  ): Promise<Answer> {
    const version = await this.version();
    const token = await this.readToken();
    if (token !== this.acceptedToken) await this.prove(token, version);
    return this.guard.run('slurm', async () => {
      let answer: RestAnswer;
      try {
        answer = await this.exchange(method, `/slurm/${version}${path}`, token, body);
      } catch (error) {
        const words = describeTransport(error);
        const Failure = NEVER_SENT.has(codeOf(error)) ? Unavailable : Unknown;
        throw new Failure(`${this.place} did not answer: ${words}`, words, { cause: error, code: faultCodeOf(error) });
      }
      return understand(answer);
    });
  }

  /** How every part stands that was asked something by now. */
  standings(): ServiceStanding[] {
    return this.guard.standings();
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  /**
   * Tries a token on a question before it goes with an order: of an order with a token that is not accepted slurmrestd
   * says only that the answer was empty, which may mean anything.
   */
  private async prove(token: string, version: RestVersion): Promise<void> {
    await this.guard.run('slurm', async () => {
      const { words } = await this.read(`/slurm/${version}/ping`, token);
      if (!words) return;
      throw new Unavailable(`${this.place}: ${words}`, words, { code: codeOfWords(words, 'UNREACHABLE') });
    });
    this.acceptedToken = token;
  }

  private async negotiate(): Promise<RestVersion> {
    for (const version of VERSIONS) {
      const { status } = await this.guard.run('slurm', async () =>
        this.read(`/slurm/${version}/ping`, await this.readToken()),
      );
      if (status !== 404) return version;
    }
    throw new Unavailable(`${this.place} speaks none of ${VERSIONS.join(', ')}`, undefined, { code: 'GARBLED' });
  }

  private async read(path: string, token: string): Promise<RestAnswer> {
    let answer: RestAnswer;
    try {
      answer = await this.exchange('GET', path, token);
    } catch (error) {
      const words = describeTransport(error);
      throw new Unavailable(`${this.place} cannot be asked: ${words}`, words, {
        cause: error,
        code: faultCodeOf(error),
      });
    }
    const hint = this.tokenHint(answer.words);
    return { ...answer, words: answer.words + hint };
  }

  private async exchange(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    token: string,
    body?: unknown,
  ): Promise<RestAnswer> {
    const headers = {
      'x-slurm-user-name': this.transport.user,
      'x-slurm-user-token': token,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const request = { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const { status, text } = await exchange(this.pool, request, this.limits);
    return readAnswer(status, text);
  }

  /** The token, alone in its file. @throws Unavailable when there is none, it is no token, or its time is over */
  private readToken(): Promise<string> {
    return readToken(this.transport.tokenFile);
  }

  private tokenHint(words: string): string {
    if (!/Unspecified error|Authentication|Protocol auth/i.test(words)) return '';
    return ` (authentication may be lost: does Slurm still accept the token in ${this.transport.tokenFile}?)`;
  }
}

/** Fields of an error vary with version and place. */
const errorSchema = z.object({
  error: z.string().nullish(),
  description: z.string().nullish(),
  error_code: z.number().nullish(),
  error_number: z.number().nullish(),
});
const errorsSchema = z.object({ errors: z.array(errorSchema).nullish() });

function readAnswer(status: number, text: string): RestAnswer {
  const document = parseDocument(text);
  const { data } = errorsSchema.safeParse(document);
  const errors = data?.errors ?? [];
  const said = errors.map(({ error, description }) => [description, error].filter(Boolean).join(': ')).filter(Boolean);
  const unsaid = status === 200 && data ? '' : `HTTP status ${status}${data ? '' : `: ${text.trim()}`}`;
  const [first] = errors;
  return {
    status,
    document,
    words: said.join('; ') || unsaid,
    errorCode: first?.error_code ?? first?.error_number ?? null,
  };
}

/** Null for no JSON, as when slurmrestd answers in plain text. */
function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A connection that broke is the usual fault of its kind. */
function faultCodeOf(error: unknown): FaultCode {
  if (error instanceof ExchangeFailure) return error.code;
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'TIMED_OUT';
  return NEVER_SENT.has(code) ? 'UNREACHABLE' : 'NO_ANSWER';
}

function describeTransport(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${message} (${codeOf(error) || 'no code'})`;
}

/** Codes of a connection that never came about. */
const NEVER_SENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['ENOENT', 'EACCES'],
]);
const CONNECT_TIMEOUT_MILLISECONDS = 10_000;
