import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultsConfig } from '../../../adapters/simulator/faults.ts';
import { serveSimulatedSites } from '../../../adapters/simulator/server.ts';
import { createSimulatorAdapter } from '../../../adapters/simulator/simulator.ts';
import { SteppedClock } from '../../stepped-clock.ts';
import type { SiteUnderTest } from './site-under-test.ts';

const ORIGIN_AT = 1_700_000_000;
const PROCESSORS = 64;
const LOST_AFTER_SECONDS = 500_000;
const REPAIRED_AFTER_SECONDS = 500_600;

/** An idle simulated site on a clock that is stepped by whoever waits for something. */
export async function makeSimulatedSite(): Promise<SiteUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-conformance-'));
  const clock = new SteppedClock(ORIGIN_AT);
  const queues = [{ name: 'batch', isDefault: true, maxProcessors: PROCESSORS, maxWalltimeSeconds: 86_400 }];
  const outages = [
    { afterSeconds: LOST_AFTER_SECONDS, kind: 'down' },
    { afterSeconds: REPAIRED_AFTER_SECONDS, kind: 'resume' },
  ] as const;
  const workload = { generated: { seed: 1, load: 0.0001 } };
  const site = { name: 'idle', processors: PROCESSORS, queues, workload, warmDays: 0, outages };
  const serve = (port: number, faults: FaultsConfig = {}) =>
    serveSimulatedSites({ sites: [site], clock, journalFolder: folder, port, faults });
  let server = await serve(0);
  const { url } = server;
  const port = Number(new URL(url).port);
  const adapter = createSimulatorAdapter({ url, site: 'idle', timeoutMilliseconds: 500 });
  const restart = async (faults: FaultsConfig = {}) => {
    await server.close();
    server = await serve(port, faults);
    // The connections of before are noticed to be dead by whoever uses them first.
    while (!(await adapter.facts().catch(() => null)));
  };
  const passTo = (secondsAfterOrigin: number) => clock.advanceTo(ORIGIN_AT + secondsAfterOrigin);
  let silent: Server | null = null;

  return {
    adapter,
    processors: PROCESSORS,
    tooLongWalltimeSeconds: 86_401,
    shortestWalltimeSeconds: 60,
    walltimeGraceSeconds: 1,
    startsWithinSeconds: 8,
    refusals: {
      tooManyProcessors: /More processors requested than permitted/,
      tooLongWalltime: /Requested time limit is invalid/,
      unknownQueue: /invalid partition specified: nosuchqueue/,
    },
    tellsUse: [],
    now: () => clock.now(),
    async until(what, condition, seconds = 60) {
      for (let passed = 0; !(await condition()); passed++) {
        if (passed >= seconds) throw new Error(`not within ${seconds} s: ${what}`);
        clock.advanceTo(clock.now() + 1);
      }
    },
    lostReplies: { begin: () => restart({ dropReplies: 1 }), end: () => restart() },
    sharedFolder: { lacks: 'a simulated site runs no scripts' },
    hold: { lacks: 'nobody can hold a job of a simulated site back' },
    requeue: { lacks: 'a simulated site requeues nothing' },
    nodeLoss: {
      arrange: () => passTo(LOST_AFTER_SECONDS - 600),
      strike: async () => passTo(LOST_AFTER_SECONDS),
      repair: async () => passTo(REPAIRED_AFTER_SECONDS),
    },
    controllerDown: {
      begin: () => server.close(),
      end: async () => {
        server = await serve(port);
      },
    },
    controllerHung: {
      async begin() {
        await server.close();
        silent = createServer();
        await new Promise<void>((listening) => silent?.listen(port, '127.0.0.1', listening));
      },
      async end() {
        silent?.close();
        silent?.closeAllConnections();
        server = await serve(port);
      },
    },
    authenticationLost: { lacks: 'a simulated site asks nobody who he is' },
    async fillQueue(jobs) {
      const spec = { name: 'many', script: 'sleep 5000', arguments: [], walltimeSeconds: 6000, queue: null };
      const patient = createSimulatorAdapter({ url, site: 'idle' });
      for (let left = jobs; left > 0; left -= 100) {
        const some = Array.from({ length: Math.min(100, left) }, (_, index) => `many-${left - index}`);
        await Promise.all(some.map((key) => patient.submit({ ...spec, processors: PROCESSORS }, key)));
      }
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
