import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { invariant } from '../domain/failures.ts';
import { MOST_THREADS, OWNERSHIP_LOOK_SECONDS } from '../domain/ownership.ts';
import { openDatabase } from '../store/database.ts';
import {
  isDatabaseAway,
  isDatabaseGone,
  isDatabaseRefusal,
  isDatabaseUnwilling,
  saidWithCode,
} from '../store/database-away.ts';
import { listSiteCosts } from '../store/site-owners.ts';
import { supplyLiveTrainer } from '../training/supply.ts';
import { createLocalForecaster } from './local-forecaster.ts';
import { inOneMessageATurn } from './one-message-a-turn.ts';
import { OwnedSites } from './owned-sites.ts';
import { SiteCheckpoints } from './site-checkpoints.ts';
import type { HostFunctions, PostedQuestion, ThreadData, ThreadFunctions } from './thread-options.ts';

/** How long a site may go unwatched that nobody asks about, in wall time. */
const FOLLOW_MILLISECONDS = 5000;
/** Such a thread gets a tenth of a core that somebody else wants, too. */
const NICENESS = 10;

const port = parentPort;
invariant(port, 'forecast/thread.ts runs as a worker thread only');
const options = workerData as ThreadData;
supplyLiveTrainer();
if (!options.learnsLast) standBack();
const database = openDatabase(options.databaseUrl, 2);
const me = options.threadId % MOST_THREADS;
let homes: ReadonlyMap<string, number> = new Map();
const isHere = (siteId: string) => (homes.get(siteId) ?? 0) === me;
const owned = new OwnedSites(
  database.db,
  { threadId: options.threadId, learnsLast: options.learnsLast ?? false },
  isHere,
);
const checkpoints = new SiteCheckpoints(database, warn);
const { follow, askedBy, state, stateOf, close } = createLocalForecaster(database, options, {
  owned,
  checkpoints,
  isHere,
});
const underWay = new Map<number, AbortController>();

let following: Promise<void> | null = null;
const turns = setInterval(() => {
  following ??= unlessAway(follow().then(tellCosts)).finally(() => {
    following = null;
  });
}, FOLLOW_MILLISECONDS);

let looking: Promise<void> | null = null;
const looks = setInterval(lookOnce, 1000 * OWNERSHIP_LOOK_SECONDS);
lookOnce();

const functions: ThreadFunctions = {
  state: () => state().catch(keepCode),
  stateOf: (siteId) => stateOf(siteId).catch(keepCode),
  ask: (asked) => ask(asked).catch(keepCode),
  cancel(id) {
    underWay.get(id)?.abort();
  },
  async lookAfter(told) {
    homes = new Map(told);
  },
  async stop() {
    clearInterval(turns);
    clearInterval(looks);
    await looking;
    await following;
    await toldAtStart;
    await owned.close().catch(tellUnlessAway);
    await close();
    await database.close();
  },
};

const host = createBirpc<HostFunctions, ThreadFunctions>(functions, inOneMessageATurn(port));
const toldAtStart = tellCosts();

async function tellCosts(): Promise<void> {
  if (me !== 0 || (options.threads ?? 1) === 1) return;
  await listSiteCosts(database.db).then((costs) => host.tellCosts.asEvent(costs), tellUnlessAway);
}

function lookOnce(): void {
  looking ??= owned
    .look()
    .catch(tellUnlessAway)
    .finally(() => {
      looking = null;
    });
}

/**
 * Who cannot say that it lives owns nothing in a while, and others learn its sites; who does not know what sites cost
 * leaves them where they are. That needs no more than a word.
 */
function tellUnlessAway(error: Error): void {
  if (!isAway(error)) warn('the owners of sites could not be looked at', error);
}

/** One that was there when this thread began, and is gone, comes back like one that is out of reach. */
function isAway(error: unknown): boolean {
  return (isDatabaseAway(error) && !isDatabaseUnwilling(error)) || isDatabaseGone(error);
}

/** Who asks learns that the database is away, and not only what it said. */
function keepCode(error: unknown): never {
  throw isDatabaseAway(error) ? new Error(saidWithCode(error)) : error;
}

/** Has the process say it. */
function warn(what: string, error: unknown): void {
  host.warn.asEvent(what, saidWithCode(error));
}

/**
 * A database that is away is asked again at the next turn; who asks for a forecast meanwhile is told. So is one that
 * will not do what it is asked, as for lack of room, of which a word is said.
 */
async function unlessAway(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (isAway(error)) return;
    if (!isDatabaseRefusal(error) && !isDatabaseUnwilling(error)) throw error;
    warn('sites could not be followed', error);
  }
}

/** Who answers people goes first where cores are few. On Linux a thread has a niceness of its own. */
function standBack(): void {
  if (process.platform === 'linux') setPriority(NICENESS);
}

async function ask({ id, asker, name, args }: PostedQuestion): Promise<unknown> {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    const question = askedBy({ name: asker, signal: controller.signal })[name] as (...args: unknown[]) => unknown;
    return await question(...args);
  } finally {
    underWay.delete(id);
  }
}
