import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { QueueFacts, SiteFacts } from '../../src/domain/site.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import type { CommandSite } from '../shared/command-site.ts';
import { keyOfJobName } from '../shared/job-name.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { OarCommands } from './commands.ts';
import type { oarConfig } from './config.ts';
import { shapesOf } from './equipment.ts';
import { ListedJobs } from './listed-jobs.ts';
import { asRunning, asWindow, phaseOf, withPlan } from './native-jobs.ts';
import type { OarJob, OarResource } from './parse.ts';

/** OAR asks its database several times for each. */
const MOST_DESCRIBED = 200;

/** What an OAR server shows of itself and of everybody's jobs. */
export class WholeSite {
  private readonly listed;

  constructor(
    private readonly site: Pick<CommandSite, 'clockSkewSeconds'>,
    private readonly commands: OarCommands,
    private readonly config: z.output<typeof oarConfig>,
  ) {
    this.listed = new ListedJobs((numbers) => this.commands.describeListed(numbers));
  }

  async facts(): Promise<SiteFacts> {
    const { commands, config } = this;
    const [{ length: processors }, stopped, reservations, resources] = await Promise.all([
      this.listResources(),
      commands.stoppedQueues(config.queues.map(({ name }) => name)),
      commands.listReservations(),
      commands.describeResources(),
    ]);
    const queues = config.queues.map((queue) => ({ ...queue, ...barOf(stopped.includes(queue.name)) }));
    const maintenance = reservations.flatMap((job) => asWindow(job, processors));
    return { processors, queues, maintenance, nodeShapes: shapesOf(resources, config, this.wokenAt()) };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const [rows, resources] = await Promise.all([this.commands.listJobs(), this.listResources()]);
    const jobs = await this.listed.complete(rows);
    const waiting = jobs.filter(isInQueue);
    const described = await this.describeOwn(waiting);
    return {
      observedAt: askedAt + this.site.clockSkewSeconds,
      processors: resources.filter(({ isInService }) => isInService).length,
      freeProcessors: resources.filter(({ isFree }) => isFree).length,
      waiting: waiting.map((job) => withPlan(job, described)),
      running: jobs.flatMap(asRunning),
    };
  }

  /** Of our own jobs that wait, those next in turn: nobody is shown why other people's wait. */
  private async describeOwn(waiting: readonly OarJob[]): Promise<ReadonlyMap<string, OarJob>> {
    const own = waiting.filter(({ name }) => keyOfJobName(name) !== null).slice(0, MOST_DESCRIBED);
    if (own.length === 0) return new Map();
    const jobs = await this.commands.describeJobs({ numbers: own.map(({ nativeId }) => nativeId) });
    return new Map(jobs.map((job) => [job.nativeId, job]));
  }

  private listResources(): Promise<OarResource[]> {
    return this.commands.listResources(this.wokenAt());
  }

  private wokenAt(): EpochSeconds | null {
    return this.config.wakesNodes ? presentMoment() : null;
  }
}

function barOf(isStopped: boolean): Pick<QueueFacts, 'bar' | 'unusableBecause'> {
  return isStopped ? { bar: 'DOWN', unusableBecause: 'its state is notActive' } : { bar: null, unusableBecause: null };
}

/** Whether it waits for its turn: a reservation waits for its time. */
function isInQueue(job: OarJob): boolean {
  return phaseOf(job) === 'WAITING' && !job.isReservation;
}
