import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countOf, type Histogram, quantileBound, readHistogram } from '../../../src/cli/bench/histogram.ts';
import { RandomStream } from '../../../src/sim/random.ts';
import { type Comparison, compare } from '../compare/compare.ts';
import { labRuns } from '../compare/lab-runs.ts';
import { type PromiseTally, tallyPromises } from '../compare/promises.ts';
import { type Ask, allExecutions, patiently, type ToldExecution } from '../compare/told-execution.ts';
import type { Lab } from '../lab.ts';
import { registerSites } from '../register-sites.ts';
import { writeLabSites } from '../sites.ts';
import { addHistograms } from './add-histograms.ts';
import { type CallerCounts, callUntil } from './callers.ts';
import { countLooks, type Looks } from './looks.ts';
import { startNeighbours } from './neighbours.ts';
import { type Service, startService } from './service.ts';

/** How a run on the lab is to go. */
export interface HourOptions {
  /** Other people's load alone, from which the sites get a past. */
  readonly warmMinutes: number;
  /** Calls, load and kills together. */
  readonly minutes: number;
  readonly killEverySeconds: number;
  readonly callEverySeconds: number;
  readonly seed: number;
}

/** What came of it. */
export interface HourReport {
  readonly options: HourOptions;
  readonly neighbourJobs: Readonly<Record<string, number>>;
  readonly callers: CallerCounts;
  readonly kills: number;
  readonly looks: readonly Looks[];
  readonly wakeUps: { readonly count: number; readonly p50Seconds: number; readonly p99Seconds: number };
  readonly promises: readonly PromiseTally[];
  /** Every execution as the API told it in the end. */
  readonly executions: readonly ToldExecution[];
  readonly comparison: Comparison;
  /** Executions that had not come to their end when the run was given up. */
  readonly unsettled: readonly string[];
}

const PORTS = { api: 96, worker: 97 } as const;
const OBSERVE_SECONDS = 10;
const SETTINGS = {
  GRIDCAST_OBSERVE_SECONDS: String(OBSERVE_SECONDS),
  GRIDCAST_HISTORY_SECONDS: '30',
  GRIDCAST_RECOMPUTE_SECONDS: '15',
  GRIDCAST_HANDOVER_SECONDS: '10',
  GRIDCAST_RETRY_SECONDS: '5',
};
const SETTLE_MINUTES = 15;
/** A killed API is there again by then. */
const BACK_WITHIN_SECONDS = 60;

/**
 * Runs the whole service against every batch system of a lab while other people's load grows and ebbs and its processes
 * are killed; then holds it against the systems' own accounting.
 * @param say told what is being done
 */
export async function runHour(lab: Lab, options: HourOptions, say: (what: string) => void): Promise<HourReport> {
  const folder = join(lab.folder, 'gridcast');
  const ports = { api: lab.basePort + PORTS.api, worker: lab.basePort + PORTS.worker };
  const service = await startService(folder, ports, SETTINGS);
  const neighbours = startNeighbours(lab, options.seed);
  try {
    writeFileSync(join(folder, 'hour.json'), JSON.stringify({ url: service.url, token: service.token }), {
      mode: 0o600,
    });
    await registerSites(
      service.ask,
      writeLabSites(lab).map(({ site }) => site),
    );
    say(`the service answers at ${service.url}; ${options.warmMinutes} minutes of other people's load come first`);
    await sleep(options.warmMinutes * 60_000);
    const beganAt = Date.now();
    const isOver = () => Date.now() - beganAt >= options.minutes * 60_000;
    say(`calls and kills for ${options.minutes} minutes`);
    const [callers, lives] = await Promise.all([
      callUntil(isOver, service.ask, new RandomStream(options.seed + 1), options.callEverySeconds),
      killUntil(isOver, service, options.killEverySeconds, say),
    ]);
    const ask = patiently(service.ask, BACK_WITHIN_SECONDS);
    const looks = await countLooks(ask, beganAt);
    say('calls are over; what was asked for is brought to its end');
    const executions = await untilSettled(ask);
    // Accounting is the last to know.
    await sleep(60_000);
    const told = await allExecutions(ask);
    const lateness = addHistograms([...lives.lateness, ...(await latenessOf(service))]);
    return {
      options,
      neighbourJobs: neighbours.counts(),
      callers,
      kills: lives.kills,
      looks,
      wakeUps: {
        count: countOf(lateness),
        p50Seconds: quantileBound(lateness, 0.5),
        p99Seconds: quantileBound(lateness, 0.99),
      },
      promises: tallyPromises(told),
      executions: told,
      comparison: compare(told, labRuns(lab, 'alice')),
      unsettled: executions.filter((execution) => !isSettled(execution)).map(({ id }) => id),
    };
  } finally {
    neighbours.stop();
    await service.stop();
  }
}

/**
 * Kills the worker again and again, the API every fourth time, and takes down how late wake-ups were before each kill.
 */
async function killUntil(
  isOver: () => boolean,
  service: Service,
  everySeconds: number,
  say: (what: string) => void,
): Promise<{ kills: number; lateness: Histogram[] }> {
  const lateness: Histogram[] = [];
  let kills = 0;
  for (let nextAt = Date.now() + everySeconds * 1000; !isOver(); ) {
    await sleep(500);
    if (Date.now() < nextAt) continue;
    nextAt += everySeconds * 1000;
    const name = kills % 4 === 3 ? 'api' : 'worker';
    if (name === 'worker') lateness.push(...(await latenessOf(service)));
    if (service.kill(name)) kills++;
    say(`${new Date().toISOString()} ${name} killed (${kills})`);
  }
  return { kills, lateness };
}

async function latenessOf(service: Service): Promise<Histogram[]> {
  const metrics = await service.workerMetrics();
  return metrics === null ? [] : [readHistogram(metrics, 'gridcast_wake_up_lateness_seconds')];
}

/** A reservation that was cancelled before its submission costs nothing; what ran is settled once it is charged. */
function isSettled({ state, charges, startedAt }: ToldExecution): boolean {
  return state === 'ENDED' && (startedAt === null || charges.length > 0);
}

async function untilSettled(ask: Ask): Promise<ToldExecution[]> {
  const giveUpAt = Date.now() + SETTLE_MINUTES * 60_000;
  for (;;) {
    const executions = await allExecutions(ask);
    if (executions.every(isSettled) || Date.now() > giveUpAt) return executions;
    await sleep(5000);
  }
}
