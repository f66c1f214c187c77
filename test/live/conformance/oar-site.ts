import { join } from 'node:path';
import { createOarAdapter } from '../../../adapters/oar/oar.ts';
import type { SiteUnderTest } from '../../conformance/adapters/site-under-test.ts';
import { type LabSpec, startLab } from '../../lab/lab.ts';
import { muteClient } from './mute-client.ts';
import { realTime } from './real-site.ts';

export const OAR_LAB: LabSpec = { servers: [{ name: 'delta', nodes: 4, processorsPerNode: 4 }] };

/** An OAR server of its own, used by alice through commands. */
export async function makeOarSite(): Promise<SiteUnderTest> {
  const lab = await startLab(OAR_LAB);
  const [server] = lab.servers;
  if (!server) throw new Error('the lab has no OAR server');
  const clients = server.clientEnvironment('alice');
  const mute = muteClient(join(lab.folder, 'mute'), 'oarsub', join(server.files.clients, 'alice/oarsub'));
  const asOwner = (...argv: string[]) => server.run(argv, { user: 'alice' });
  return {
    ...realTime,
    adapter: createOarAdapter({
      environment: { ...clients, PATH: `${mute.folder}:${clients.PATH}` },
      workFolder: server.workFolder,
      timeoutMilliseconds: 20_000,
      coolDownMilliseconds: 500,
    }),
    processors: server.processors,
    tooLongWalltimeSeconds: 100 * 86_400,
    shortestWalltimeSeconds: 15,
    walltimeGraceSeconds: 60,
    startsWithinSeconds: 30,
    refusals: {
      tooManyProcessors: /not enough resources/,
      tooLongWalltime: /The walltime is longer than/,
      unknownQueue: /queue nosuchqueue does not exist/,
    },
    tellsUse: [],
    lostReplies: mute,
    sharedFolder: server.workFolder,
    hold: {
      hold: ({ nativeId }) => asOwner('oarhold', nativeId),
      release: ({ nativeId }) => asOwner('oarresume', nativeId),
    },
    requeue: { lacks: 'OAR never puts a job back into the queue; it submits another in its place' },
    nodeLoss: { lacks: 'the nodes of an OAR lab are one ssh server on one machine' },
    controllerDown: { begin: () => server.killDatabase(), end: () => server.startDatabase() },
    controllerHung: { begin: () => server.hangDatabase(), end: () => server.resumeDatabase() },
    authenticationLost: { lacks: 'OAR believes every client who he is' },
    // Into the database: OAR takes some two jobs a second.
    fillQueue: async (jobs) => server.fillQueue(jobs),
    close: () => lab.stop(),
  };
}
