import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandSite } from '../../../adapters/shared/command-site.ts';
import { JobOutputs } from '../../../adapters/shared/job-outputs.ts';
import { createLocalRunner } from '../../../adapters/shared/local-runner.ts';
import { SiteGuard } from '../../../adapters/shared/site-guard.ts';
import type { OutputRequest } from '../../../src/domain/job-output.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { publishChange } from '../../../src/store/events.ts';
import { type ApiWorld, createApiWorld, NOW, work } from './api-world.ts';
import { SUBMIT } from './documents.ts';

/** An API whose site is a folder of this machine, read as sites are read. */
export interface OutputsWorld {
  readonly api: ApiWorld;
  /** What the site was asked for. */
  readonly reads: OutputRequest[];
  /** What stands in for the site's reading, where that is set. */
  readOutput: SiteAdapter['readOutput'] | 'READS' | 'CANNOT';
  /** A job that runs. @returns its global id */
  runningJob(token: string): Promise<string>;
  /** The folder that it writes to. */
  folderOf(id: string): string;
  write(id: string, file: 'stdout' | 'stderr', bytes: Uint8Array | string): void;
  /** Writes down that it has ended, as a worker would, and tells of it. */
  end(id: string): Promise<void>;
  close(): Promise<void>;
}

export const OUTPUT = `query($id: ID!, $stream: OutputStream! = STDOUT, $offset: Float! = 0, $limit: Int! = 1048576) {
  job(id: $id) { output(stream: $stream, offset: $offset, limit: $limit) {
    stream base64 text offset nextOffset totalBytes isComplete observedAt } } }`;
export const TAIL = `subscription($id: ID!, $offset: Float! = 0) {
  jobOutput(id: $id, offset: $offset) { base64 offset nextOffset isComplete } }`;

/** @param consoleFolder of the built console, where its pages are to be served, too */
export async function createOutputsWorld(consoleFolder?: string): Promise<OutputsWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-outputs-'));
  const reads: OutputRequest[] = [];
  const outputs = new JobOutputs(localSite(folder), { outputFolder: join(folder, 'jobs') });
  const connect = () => {
    const adapter: Partial<SiteAdapter> = {
      get readOutput() {
        if (world.readOutput === 'CANNOT') return undefined;
        if (world.readOutput !== 'READS') return world.readOutput;
        return (request: OutputRequest) => {
          reads.push(request);
          return outputs.read(request);
        };
      },
      close: async () => undefined,
    };
    return adapter as SiteAdapter;
  };
  const api = await createApiWorld({}, { connect, ...(consoleFolder !== undefined && { consoleFolder }) });
  const { db } = api.stores.database;
  const databaseId = (id: string) => fromGlobalId(id)?.id ?? '';
  const folderOf = (id: string) => join(folder, 'jobs', submissionKey(databaseId(id), 1));
  const world: OutputsWorld = {
    api,
    reads,
    readOutput: 'READS',
    async runningJob(token) {
      const { submitJob } = (await api.ask(token, SUBMIT, { input: { ...work, name: 'writes' } })).data;
      const { id } = submitJob.job;
      const siteId = databaseId(api.sites.quick);
      const data = { state: 'RUNNING', siteId, attempts: 1, wakeAt: null } as const;
      const { id: executionId } = await db.execution.update({ where: { id: databaseId(id) }, data });
      const attempt = { executionId, siteId, attempt: 1, state: 'ACCEPTED', intendedAt: new Date(NOW * 1000) } as const;
      await db.submission.create({ data: { ...attempt, key: submissionKey(executionId, 1), nativeId: '7' } });
      return id;
    },
    folderOf,
    write(id, file, bytes) {
      mkdirSync(folderOf(id), { recursive: true });
      writeFileSync(join(folderOf(id), file), bytes, { flag: 'a' });
    },
    async end(id) {
      const { tenantId } = await db.execution.update({ where: { id: databaseId(id) }, data: { state: 'ENDED' } });
      await publishChange(db, { type: 'EXECUTION', id: databaseId(id), tenantId });
    },
    async close() {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

function localSite(home: string): CommandSite {
  const runner = createLocalRunner({
    timeoutMilliseconds: 20_000,
    outputLimitCharacters: 1 << 24,
    environment: { HOME: home },
  });
  const guard = new SiteGuard('here', {
    ...{ maxConcurrent: 8, maxWaiting: 10_000, failuresInARow: 5, coolDownMilliseconds: 100 },
    maxWaitMilliseconds: 20_000,
  });
  return new CommandSite(runner, guard);
}
