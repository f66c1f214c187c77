import type { Database } from '../store/database.ts';
import { listStale } from '../store/stale-checkpoints.ts';
import { answering, type Compute } from './answering.ts';
import { Dependences } from './dependences.ts';
import { embeddedBy } from './embedded-texts.ts';
import { unreadSite } from './followed-site.ts';
import type { Asker, Forecaster, Questions } from './forecaster.ts';
import { LiveSites } from './live-sites.ts';
import type { SharedSites } from './shared-sites.ts';
import { SitesAway } from './sites-away.ts';
import { followedBy, predictorsOf, type ThreadOptions } from './thread-options.ts';
import { Turns } from './turns.ts';

/** A forecaster that reads what is new when it is told to, too, not only when it is asked. */
export interface LocalForecaster extends Omit<Forecaster, 'askedBy'> {
  askedBy(asker: Pick<Asker, 'name' | 'signal'>): Questions;
  /** Looks at every site there is, so that none has gone unwatched when it is asked about. */
  follow(): Promise<void>;
}

/**
 * A forecaster that computes where it is asked: the inside of the thread, or of a test that wants everything in one
 * place.
 * @param shared how sites' models are shared with other processes; by default it learns all by itself
 */
export function createLocalForecaster(
  database: Database,
  options: Omit<ThreadOptions, 'databaseUrl'>,
  shared: SharedSites | null = null,
): LocalForecaster {
  const dependences = new Dependences(database, options.predictor);
  const predictors = predictorsOf(options);
  const learnsFrom = performance.now() + (options.learnsAfterMilliseconds ?? 0);
  const embedded = embeddedBy(options.embedding);
  const turns = new Turns();
  const live = new LiveSites(
    database,
    () => unreadSite(followedBy(options), options.settings ?? {}),
    options.freshMilliseconds,
    learnsFrom,
    shared,
    new SitesAway(
      {
        sites: options.mostSites ?? Number.POSITIVE_INFINITY,
        bytes: options.mostBytes ?? Number.POSITIVE_INFINITY,
      },
      (siteIds) => listStale(database.db, siteIds),
    ),
    embedded.records,
    turns,
  );
  const answered = (compute: Compute) => embedded.questions(answering(live, dependences, options, compute));
  const askedBy: LocalForecaster['askedBy'] = ({ name, signal }) =>
    answered((steps) => turns.compute(name, steps, signal));
  return {
    predictors,
    ...answered((steps) => turns.compute('', steps)),
    askedBy,
    async state() {
      return live.states();
    },
    stateOf: (siteId) => live.stateOf(siteId),
    follow: () => live.follow(),
    async close() {
      embedded.close();
      await live.close();
    },
  };
}
