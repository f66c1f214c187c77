import { Agent } from 'undici';
import { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { type FaultCode, Rejected, Unavailable, Unknown } from '../../src/domain/failures.ts';
import { whatIsNotHonoured } from '../../src/domain/honours.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { OutputPiece, OutputRequest } from '../../src/domain/job-output.ts';
import type { SiteFacts } from '../../src/domain/site.ts';
import type {
  Acceptance,
  AdapterCapabilities,
  HistoryPage,
  NativeJob,
  NativeRef,
  SiteAdapter,
} from '../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import { ExchangeFailure, exchange } from '../shared/http-exchange.ts';
import { errorBody, outputAnswer } from './protocol.ts';

/** Where a simulated site is served and what it is called there. */
export const simulatorConfig = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  site: z.string().min(1),
  /** A request that takes longer has failed; one that changes something is then unknown. */
  timeoutMilliseconds: z.number().positive().default(10_000),
  /** An answer that is larger is not read to its end. */
  answerLimitBytes: z
    .int()
    .positive()
    .default(64 * 1024 * 1024),
  /** How long the site's accounting may lag behind. */
  accountingLagSeconds: z.number().nonnegative().default(0),
});

export type SimulatorConfig = z.input<typeof simulatorConfig>;

/** Makes the adapter; nothing is contacted before the first verb. */
export function createSimulatorAdapter(config: SimulatorConfig): SiteAdapter {
  return new SimulatorAdapter(simulatorConfig.parse(config));
}

/** Whether a request that got no answer has certainly not been carried out. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** What of a job it can place: its machine has nodes, and neither accounts nor licences, nor does it run scripts. */
const HONOURS = [
  'nodes',
  'tasks',
  'tasksPerNode',
  'processorsPerTask',
  'memoryPerNodeMebibytes',
  'memoryPerProcessorMebibytes',
  'gpus',
  'gpuKind',
  'constraints',
  'exclusive',
  'tmpPerNodeMebibytes',
] as const;

/** The simulator seen as a site, over its HTTP interface. */
class SimulatorAdapter implements SiteAdapter {
  readonly capabilities: AdapterCapabilities;
  private readonly origin: string;
  private readonly base: string;
  private readonly agent = new Agent();

  constructor(private readonly config: z.output<typeof simulatorConfig>) {
    this.capabilities = { accounting: true, accountingLagSeconds: config.accountingLagSeconds, honours: HONOURS };
    const { origin, pathname } = new URL(config.url);
    this.origin = origin;
    this.base = `${pathname.replace(/\/$/, '')}/sites/${encodeURIComponent(config.site)}`;
  }

  facts(): Promise<SiteFacts> {
    return this.read('GET', '/facts');
  }

  snapshot(): Promise<Snapshot> {
    return this.read('GET', '/snapshot');
  }

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    const missing = whatIsNotHonoured(spec, HONOURS);
    if (missing.length > 0) {
      const words = `a simulated site does not honour ${missing.join(', ')}`;
      throw new Rejected(words, words);
    }
    return this.change('POST', '/jobs', { spec, key });
  }

  async find(key: string): Promise<NativeJob | null> {
    const { job } = await this.read<{ job: NativeJob | null }>('GET', `/jobs?key=${encodeURIComponent(key)}`);
    return job;
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    if (refs.length === 0) return new Map();
    const nativeIds = refs.map((ref) => ref.nativeId);
    const { jobs } = await this.read<{ jobs: NativeJob[] }>('POST', '/inspect', { nativeIds });
    const submittedAt = new Map(refs.map((ref) => [ref.nativeId, ref.submittedAt]));
    const isMeant = (job: NativeJob) => Math.abs((submittedAt.get(job.nativeId) as number) - job.submittedAt) < 1;
    return new Map(jobs.filter(isMeant).map((job) => [job.nativeId, job]));
  }

  async cancel(job: NativeRef): Promise<void> {
    await this.change('DELETE', `/jobs/${encodeURIComponent(job.nativeId)}?submittedAt=${job.submittedAt}`);
  }

  async begin(job: NativeRef): Promise<void> {
    await this.change('PUT', `/jobs/${encodeURIComponent(job.nativeId)}?submittedAt=${job.submittedAt}`);
  }

  async readOutput({ key, stream, offset, limit }: OutputRequest): Promise<OutputPiece | null> {
    const query = new URLSearchParams({ key, stream, offset: String(offset), limit: String(limit) });
    const { found } = outputAnswer.parse(await this.read('GET', `/output?${query}`));
    return found && { bytes: Buffer.from(found.base64, 'base64'), totalBytes: found.totalBytes };
  }

  history(since: EpochSeconds): Promise<HistoryPage> {
    return this.read('GET', `/history?since=${since}`);
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** Asks something. Whatever goes wrong, nothing has happened. */
  private async read<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
    try {
      return await this.request(method, path, body);
    } catch (error) {
      if (error instanceof Refused && error.status < 500) throw new Rejected(error.message, error.siteSays);
      throw new Unavailable(`${this.config.site} cannot be asked: ${describe(error)}`, describe(error), {
        cause: error,
        code: faultCodeOf(error),
      });
    }
  }

  /** Has something done. Only an answer, or a connection that never came about, tells whether it was. */
  private async change<Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
    try {
      return await this.request(method, path, body);
    } catch (error) {
      const words = describe(error);
      if (error instanceof Refused && error.status < 500) throw new Rejected(error.message, error.siteSays);
      const untouched = error instanceof Refused ? error.status === 503 : NEVER_SENT.has(codeOf(error));
      const options = { cause: error, code: faultCodeOf(error) };
      if (untouched) throw new Unavailable(`${this.config.site} cannot be reached: ${words}`, words, options);
      throw new Unknown(`${this.config.site} did not answer: ${words}`, words, options);
    }
  }

  private async request<Answer>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const { timeoutMilliseconds, answerLimitBytes } = this.config;
    const request = {
      origin: this.origin,
      path: this.base + path,
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    };
    const { status, text } = await exchange(this.agent, request, { timeoutMilliseconds, answerLimitBytes });
    const answer: unknown = JSON.parse(text);
    if (status >= 200 && status < 300) return answer as Answer;
    const { error, siteSays } = errorBody.parse(answer);
    throw new Refused(status, error, siteSays ?? error);
  }
}

/** The site answered, with something other than 200. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly siteSays: string,
  ) {
    super(message);
  }
}

/** The system's code of a failed connection. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function faultCodeOf(error: unknown): FaultCode {
  if (error instanceof ExchangeFailure) return error.code;
  if (error instanceof SyntaxError || error instanceof z.ZodError) return 'GARBLED';
  if (codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT') return 'TIMED_OUT';
  return error instanceof Refused || NEVER_SENT.has(codeOf(error)) ? 'UNREACHABLE' : 'NO_ANSWER';
}

function describe(error: unknown): string {
  if (error instanceof Refused) return error.siteSays;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return code ? `${message} (${code})` : message;
}
