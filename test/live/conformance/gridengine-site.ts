import { join } from 'node:path';
import { createGridEngineAdapter } from '../../../adapters/gridengine/gridengine.ts';
import type { SiteUnderTest } from '../../conformance/adapters/site-under-test.ts';
import { type LabSpec, startLab } from '../../lab/lab.ts';
import { muteClient } from './mute-client.ts';
import { openFolder, realTime } from './real-site.ts';

export const GRID_ENGINE_LAB: LabSpec = { cells: [{ name: 'gamma', slots: 16 }] };

/** A Grid Engine cell of its own, used by alice through commands. */
export async function makeGridEngineSite(): Promise<SiteUnderTest> {
  const lab = await startLab(GRID_ENGINE_LAB);
  const [cell] = lab.cells;
  if (!cell) throw new Error('the lab has no cell');
  const shared = openFolder();
  const clients = cell.clientEnvironment('alice');
  const mute = muteClient(join(lab.folder, 'mute'), 'qsub', join(cell.files.clients, 'alice/qsub'));
  const adapter = createGridEngineAdapter({
    environment: { ...clients, PATH: `${mute.folder}:${clients.PATH}` },
    workFolder: shared.path,
    timeoutMilliseconds: 10_000,
    coolDownMilliseconds: 500,
  });
  const asOwner = (...argv: string[]) => cell.run(argv, { user: 'alice' });
  return {
    ...realTime,
    adapter,
    processors: cell.spec.slots,
    tooLongWalltimeSeconds: 100 * 3600,
    shortestWalltimeSeconds: 15,
    walltimeGraceSeconds: 60,
    startsWithinSeconds: 12,
    refusals: {
      tooManyProcessors: /no suitable queues|only offers/,
      tooLongWalltime: /no suitable queues/,
      unknownQueue: /unknown queue "nosuchqueue"/,
    },
    tellsUse: ['cpuSeconds', 'memoryBytes'],
    lostReplies: mute,
    sharedFolder: shared.path,
    hold: { hold: ({ nativeId }) => asOwner('qhold', nativeId), release: ({ nativeId }) => asOwner('qrls', nativeId) },
    requeue: ({ nativeId }) => cell.run(['qmod', '-f', '-rj', nativeId]),
    nodeLoss: {
      // What ran on a silent host is not known to have ended; an administrator sends it elsewhere.
      async strike({ nativeId }) {
        await cell.crashExecution();
        await cell.startExecution();
        cell.run(['qmod', '-f', '-rj', nativeId]);
      },
      repair: async () => undefined,
    },
    controllerDown: { begin: () => cell.killMaster(), end: () => cell.startMaster() },
    controllerHung: { begin: () => cell.hangMaster(), end: () => cell.resumeMaster() },
    authenticationLost: { lacks: 'Grid Engine believes every client who he is' },
    async fillQueue(jobs) {
      for (let left = jobs; left > 0; left -= 1000) {
        cell.run(['qsub', '-b', 'y', '-h', '-t', `1-${Math.min(1000, left)}`, '/bin/true'], { user: 'bob' });
      }
    },
    async close() {
      await lab.stop();
      shared.remove();
    },
  };
}
