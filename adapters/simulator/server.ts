import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../src/domain/clock.ts';
import { Rejected } from '../../src/domain/failures.ts';
import { readWorkload } from '../../src/sim/read-workload.ts';
import type { Workload } from '../../src/sim/workload.ts';
import { type ResolvedSiteConfig, type SimulatedSiteConfig, simulatedSiteConfig } from './config.ts';
import { Faults, type FaultsConfig } from './faults.ts';
import { type ErrorBody, inspectBody, outputQuery, submitBody } from './protocol.ts';
import { SimulatedSite } from './simulated-site.ts';

export interface SimulatedSitesOptions {
  readonly sites: readonly SimulatedSiteConfig[];
  /** The sites' time; shared with whoever talks to them. */
  readonly clock: Clock;
  /** Where each site keeps its journal; starting again with the same folder goes on where it ended. */
  readonly journalFolder: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly faults?: FaultsConfig;
}

export interface SimulatedSitesServer {
  readonly url: string;
  close(): Promise<void>;
}

const LONGEST_BODY_BYTES = 4 << 20;

/** A request that this server cannot make sense of. */
class BadRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Serves simulated sites on 127.0.0.1 until closed. Each is rebuilt from its journal first, so a server that was killed
 * goes on as if nothing had happened.
 * @throws ZodError for a bad configuration, WorkloadError for a bad trace, Error for a journal of another configuration
 */
export async function serveSimulatedSites(options: SimulatedSitesOptions): Promise<SimulatedSitesServer> {
  const faults = new Faults(options.faults ?? {});
  const sites = await buildSites(options, faults);
  const server = createServer((request, response) => {
    void answer(sites, faults, options.clock, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

async function buildSites(options: SimulatedSitesOptions, faults: Faults): Promise<Map<string, SimulatedSite>> {
  const traces = new Map<string, Workload>();
  const sites = new Map<string, SimulatedSite>();
  for (const config of z.array(simulatedSiteConfig).parse(options.sites)) {
    const trace = await traceOf(config, traces);
    const lag = faults.config.accountingLagSeconds;
    sites.set(config.name, new SimulatedSite(config, trace, options.clock, options.journalFolder, lag));
  }
  return sites;
}

async function traceOf(config: ResolvedSiteConfig, traces: Map<string, Workload>): Promise<Workload | null> {
  if (!('trace' in config.workload)) return null;
  const { file } = config.workload.trace;
  const trace = traces.get(file) ?? (await readWorkload(file));
  traces.set(file, trace);
  return trace;
}

async function answer(
  sites: ReadonlyMap<string, SimulatedSite>,
  faults: Faults,
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [, folder, name = '', ...rest] = url.pathname.split('/').map(decoded);
    const site = sites.get(name);
    if (folder !== 'sites' || !site) throw new BadRequest(404, `no site "${name}"`);
    if (faults.isUnavailable(name, clock.now())) {
      reply(response, 503, { error: 'the site does not answer', siteSays: 'Unable to contact the controller' });
      return;
    }
    const body = request.method === 'POST' ? await readJson(request) : null;
    const result = route(site, `${request.method} ${rest[0] ?? ''}`, rest[1] ?? '', url.searchParams, body);
    await sleep(faults.config.latencyMilliseconds);
    if (changesSomething(request.method, rest[0]) && faults.dropsThisReply()) request.socket.destroy();
    else reply(response, 200, result);
  } catch (error) {
    replyError(response, error);
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new BadRequest(400, `${segment} is no part of a URL`);
  }
}

function changesSomething(method: string | undefined, noun: string | undefined): boolean {
  return noun === 'jobs' && method !== undefined && CHANGING.has(method);
}

/** Every request a site understands, as `VERB noun`. */
function route(site: SimulatedSite, verb: string, id: string, parameters: URLSearchParams, body: unknown): unknown {
  switch (verb) {
    case 'GET facts':
      return site.facts();
    case 'GET snapshot':
      return site.snapshot();
    case 'GET history':
      return site.history(numberIn(parameters, 'since'));
    case 'GET output': {
      const { key, stream, offset, limit } = outputQuery.parse(Object.fromEntries(parameters));
      const written = site.output(key, stream);
      if (written === null) return { found: null };
      const base64 = written.subarray(offset, offset + limit).toString('base64');
      return { found: { base64, totalBytes: written.length } };
    }
    case 'GET jobs':
      return { job: site.find(parameters.get('key') ?? '') };
    case 'POST inspect':
      return { jobs: site.inspect(inspectBody.parse(body).nativeIds) };
    case 'POST jobs': {
      const { spec, key } = submitBody.parse(body);
      return site.submit(spec, key);
    }
    case 'PUT jobs':
      site.begin(id, numberIn(parameters, 'submittedAt'));
      return {};
    case 'DELETE jobs':
      site.cancel(id, numberIn(parameters, 'submittedAt'));
      return {};
    default:
      throw new BadRequest(404, `no such request: ${verb}`);
  }
}

const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

function numberIn(parameters: URLSearchParams, name: string): number {
  const value = Number(parameters.get(name) ?? Number.NaN);
  if (!Number.isFinite(value)) throw new BadRequest(400, `${name} must be a number`);
  return value;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY_BYTES) throw new BadRequest(413, `the body is longer than ${LONGEST_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new BadRequest(400, 'the body is no JSON');
  }
}

function replyError(response: ServerResponse, error: unknown): void {
  if (error instanceof Rejected) reply(response, 422, { error: error.message, siteSays: error.siteSays });
  else if (error instanceof BadRequest) reply(response, error.status, { error: error.message });
  else if (error instanceof z.ZodError) reply(response, 400, { error: z.prettifyError(error) });
  else reply(response, 500, { error: error instanceof Error ? error.message : String(error) });
}

function reply(response: ServerResponse, status: number, body: unknown | ErrorBody): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
