import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { Crash, type SiteFaults, withCrashes, withSiteFaults } from './faults.ts';
import type { SteppedWorld } from './stepped-world.ts';

const MOST_STEPS = 4000;

/** Called at every moment at which a worker may die; throwing there is its death. */
export type Visit = (point: string) => void;

/** Workers of a world that may die around their writes, and around what sites submit and cancel. */
export function mortal(world: SteppedWorld, visit: Visit, faults?: SiteFaults): () => FlowContext {
  const dying = (adapter: SiteAdapter): SiteAdapter => ({
    ...adapter,
    async cancel(job) {
      visit('before the site cancels');
      await adapter.cancel(job);
      visit('after the site has cancelled');
    },
    async submit(spec, key) {
      visit('before the site submits');
      const accepted = await adapter.submit(spec, key);
      visit('after the site has submitted');
      return accepted;
    },
  });
  return () =>
    world.worker({
      database: (database) => withCrashes(database, async (point) => visit(point)),
      adapter: (adapter) => dying(faults ? withSiteFaults(adapter, faults, world.random) : adapter),
    });
}

/** Goes on with a new worker whenever one dies, until the condition holds. */
export async function live(
  world: SteppedWorld,
  hire: () => FlowContext,
  isOver: () => Promise<boolean>,
): Promise<void> {
  let worker = hire();
  const bury = async (error: unknown) => {
    if (!(error instanceof Crash)) throw error;
    worker = hire();
    await world.expireLeases();
  };
  for (let steps = 0; !(await isOver()); steps++) {
    if (steps > MOST_STEPS) throw new Error(`seed ${world.seed}: not over after ${steps} steps`);
    await world.step(() => worker, bury);
  }
}
