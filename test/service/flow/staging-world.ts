import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandSite } from '../../../adapters/shared/command-site.ts';
import { JobFolders } from '../../../adapters/shared/job-folders.ts';
import { createLocalRunner } from '../../../adapters/shared/local-runner.ts';
import { SiteGuard } from '../../../adapters/shared/site-guard.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { FolderAnswer, FolderRequest } from '../../../src/domain/job-folder.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { StageRequest } from '../../../src/domain/staging.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { findNewestStaging, type StagingRow } from '../../../src/store/stagings.ts';
import { FileServer } from '../../file-server.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, SHORT_WORK } from './usual-work.ts';

/** A stepped world whose sites keep the folders of their jobs on this machine, and a server of files. */
export interface StagingWorld {
  readonly world: SteppedWorld;
  readonly server: FileServer;
  /** Where the folders are. */
  readonly folder: string;
  /** What the site was asked about files, and what it was handed. */
  readonly asked: FolderRequest[];
  readonly handedIn: JobSpec[];
  /** Called before a site is asked; what it throws the site throws, what it returns the site says. */
  before: (request: FolderRequest) => Promise<FolderAnswer | undefined>;
  /** Called when a job is handed in. */
  onSubmit: (spec: JobSpec) => void;
  worker(): FlowContext;
  submit(staging: Partial<StageRequest>, more?: object): Promise<string>;
  execution(id: string): Promise<ExecutionRow>;
  staging(id: string): Promise<StagingRow>;
  /** Until the job is booked and nothing more is done about its files. */
  untilOver(id: string): Promise<void>;
  folders(): string[];
  /** Forgets all that was there. */
  reset(): void;
  close(): Promise<void>;
}

export async function createStagingWorld(sites: readonly string[] = ['elm']): Promise<StagingWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-staging-'));
  const server = await new FileServer().start();
  const folders = foldersAt(folder);
  const world = await createIdleWorld(3, ...sites);
  const adapter = (plain: SiteAdapter): SiteAdapter => ({
    ...plain,
    capabilities: { ...plain.capabilities, honours: ['workFolder'] },
    submit(spec, key) {
      here.handedIn.push(spec);
      here.onSubmit(spec);
      return plain.submit(spec, key);
    },
    async stage(request) {
      here.asked.push(request);
      return (await here.before(request)) ?? folders.stage(request);
    },
  });
  const { db } = world.database;
  const here: StagingWorld = {
    ...{ world, server, folder, asked: [], handedIn: [] },
    before: async () => undefined,
    onSubmit: () => undefined,
    worker: () => world.worker({ adapter }),
    async submit(what, more = {}) {
      const staging: StageRequest = { in: [], out: [], folder: 'REMOVE', ...what };
      const input = {
        ...SHORT_WORK,
        name: 'staged',
        siteIds: [],
        deadlineAt: null,
        idempotencyKey: null,
        ...more,
        staging,
      };
      return (await submitJob(world.commands, world.principal, input)).executionId;
    },
    async execution(id) {
      return (await findExecution(db, id)) as ExecutionRow;
    },
    async staging(id) {
      return (await findNewestStaging(db, id)) as StagingRow;
    },
    async untilOver(id) {
      const isOver = async () => {
        const open = await db.staging.count({ where: { executionId: id, state: { notIn: ['KEPT', 'ENDED'] } } });
        return open === 0 && (await here.execution(id)).settledAt !== null;
      };
      await world.until('it is over', isOver, here.worker());
    },
    folders: () => readdirSync(folder),
    reset() {
      server.files.clear();
      server.taken.clear();
      for (const list of [server.asked, here.asked, here.handedIn]) list.length = 0;
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
      here.before = async () => undefined;
      here.onSubmit = () => undefined;
    },
    async close() {
      await world.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (const { id, configuration } of await db.site.findMany()) {
    // Of /etc the site itself says otherwise, as where its configuration was changed since.
    const opened = { ...(configuration as object), stagingSources: [tmpdir(), '/etc'] };
    await db.site.update({ where: { id }, data: { factsAt: null, configuration: opened } });
  }
  const worker = here.worker();
  const knows = async () => (await db.site.count({ where: { NOT: { honours: { has: 'staging' } } } })) === 0;
  await world.until('the sites are known to stage', knows, worker);
  return here;
}

function foldersAt(folder: string): JobFolders {
  const options = { timeoutMilliseconds: 20_000, outputLimitCharacters: 1 << 24, environment: { HOME: folder } };
  const guard = new SiteGuard('here', {
    ...{ maxConcurrent: 8, maxWaiting: 100, failuresInARow: 50, coolDownMilliseconds: 1, maxWaitMilliseconds: 9000 },
  });
  const site = new CommandSite(createLocalRunner(options), guard);
  return new JobFolders(site, { stagingFolder: folder, stagingSources: [tmpdir()] });
}
