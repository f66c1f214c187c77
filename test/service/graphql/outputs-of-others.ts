import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fromGlobalId, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import type { OutputsWorld } from './outputs-world.ts';

const SECRET = 'sEcReT-0f-Th3-0tHeR';

/** What came of a number of tries to read what another tenant's job has written. */
export interface Tries {
  readonly tries: number;
  /** Those that got any of it, each as it was asked. */
  readonly read: readonly string[];
}

type Try = (round: number) => Promise<unknown>;

const FIELDS = '{ base64 text offset nextOffset totalBytes isComplete }';

/**
 * Tries in turn every way that somebody has thought of, until there were so many: ids of others, ids bent by paths and
 * encodings, and jobs of one's own whose files are links to those of others.
 */
export async function tryToReadOthers(world: OutputsWorld, tries: number): Promise<Tries> {
  const { workflow, stranger } = world.api.tokens;
  const victim = await world.runningJob(workflow);
  const own = await world.runningJob(stranger);
  const linked: string[] = [];
  while (linked.length < LINKED_JOBS) linked.push(await world.runningJob(stranger));
  world.write(victim, 'stdout', SECRET);
  world.write(victim, 'stderr', SECRET);
  const ways = [...byIds(world, victim, own), ...byLinks(world, victim, linked)];
  const read: string[] = [];
  for (let round = 0; round < tries; round++) {
    const way = ways[round % ways.length] as Try;
    const answer = JSON.stringify(await way(round));
    const bytes = [...answer.matchAll(/"base64":"([^"]*)"/g)].map(([, base64 = '']) => Buffer.from(base64, 'base64'));
    if (bytes.some((found) => found.toString('latin1').includes(SECRET.slice(0, 4)))) read.push(answer);
    else if (answer.includes(SECRET.slice(0, 4))) read.push(answer);
  }
  // It is there for whom it belongs to, so that the tries had something to find.
  const found = await world.api.ask(workflow, query(victim), {});
  if (found.data?.job?.output?.text !== SECRET) throw new Error(`the secret cannot be read: ${JSON.stringify(found)}`);
  return { tries, read };
}

function query(id: string, more = ''): string {
  return `{ job(id: ${JSON.stringify(id)}) { id output${more} ${FIELDS} } }`;
}

/** Ids, in the query and the subscription's document. */
function byIds({ api }: OutputsWorld, victim: string, own: string): Try[] {
  const { stranger } = api.tokens;
  const ask = (text: string) => api.ask(stranger, text, {});
  const uuid = fromGlobalId(victim)?.id ?? '';
  const ownUuid = fromGlobalId(own)?.id ?? '';
  const key = (id: string) => `gc-${id.replaceAll('-', '')}-1`;
  const bent = [
    victim,
    uuid,
    uuid.toUpperCase(),
    key(uuid),
    `${own}/../${victim}`,
    `${ownUuid}/../${key(uuid)}`,
    `../${key(uuid)}`,
    toGlobalId('Job', `${ownUuid}/../${key(uuid)}`),
    toGlobalId('Job', `${uuid}\0`),
    toGlobalId('Job', ` ${uuid}`),
    toGlobalId('Job', `{${uuid}}`),
    toGlobalId('Job', uuid.replaceAll('-', '')),
    toGlobalId('Job', `${ownUuid}' OR id = '${uuid}`),
    toGlobalId('Reservation', uuid),
    encodeURIComponent(victim),
    `${victim}=`,
  ];
  const sideways: Try[] = [
    () => ask(`{ node(id: ${JSON.stringify(victim)}) { ... on Job { output ${FIELDS} } } }`),
    () => ask(`{ jobs(first: 50) { edges { node { output(stream: STDERR) ${FIELDS} } } } }`),
    () => ask(`{ a: job(id: "${own}") { output ${FIELDS} } b: job(id: "${victim}") { output ${FIELDS} } }`),
    () => ask(`mutation { cancelJob(input: { id: "${victim}" }) { job { output ${FIELDS} } } }`),
  ];
  const streams = ['', '(stream: STDERR)', '(offset: 1)', '(offset: -1)', '(limit: 1)', '(stream: "../stdout")'];
  return [
    ...bent.map(
      (id): Try =>
        (round) =>
          ask(query(id, streams[round % streams.length])),
    ),
    ...sideways,
  ];
}

/** Files of a job of one's own that lead to those of the other, as the job itself could lay them. */
function byLinks(world: OutputsWorld, victim: string, linked: readonly string[]): Try[] {
  const secret = world.folderOf(victim);
  let turn = 0;
  const lay = (put: (folder: string) => void): Try => {
    return async () => {
      const own = linked[turn++ % linked.length] as string;
      const folder = world.folderOf(own);
      put(folder);
      const before = world.reads.length;
      const answer = await world.api.ask(world.api.tokens.stranger, query(own), {});
      if (world.reads.length === before) throw new Error('the site was not asked, so the try tried nothing');
      rmSync(folder, { recursive: true, force: true });
      if (!existsSync(join(secret, 'stdout'))) throw new Error('the secret is gone');
      return answer;
    };
  };
  const inFolder = (put: (file: string, folder: string) => void) =>
    lay((folder) => {
      mkdirSync(folder, { recursive: true });
      put(join(folder, 'stdout'), folder);
    });
  return [
    inFolder((file) => symlinkSync(join(secret, 'stdout'), file)),
    inFolder((file) => symlinkSync(join('..', basename(secret), 'stdout'), file)),
    inFolder((file) => linkSync(join(secret, 'stdout'), file)),
    inFolder((file) => symlinkSync(secret, file)),
    lay((folder) => symlinkSync(secret, folder)),
    lay((folder) => symlinkSync(basename(secret), folder)),
    inFolder((file, folder) => {
      linkSync(join(secret, 'stdout'), join(folder, 'moved'));
      renameSync(join(folder, 'moved'), file);
    }),
    inFolder((file, folder) => {
      symlinkSync(join(secret, 'stdout'), join(folder, 'first'));
      symlinkSync('first', file);
    }),
  ];
}

/** So many that none is read more often than a site may be asked. */
const LINKED_JOBS = 24;
