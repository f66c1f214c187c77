import type { SiteFacts } from '../../src/domain/site.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import type { CommandSite } from '../shared/command-site.ts';
import { keyOfJobName } from '../shared/job-name.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { capacityOf } from './capacity.ts';
import type { GridEngineCommands } from './commands.ts';
import type { Layout, QueueReading } from './layout.ts';
import { asRunning, withReason } from './native-jobs.ts';
import type { JobDetail } from './parse.ts';
import { QueueAccess } from './queue-access.ts';
import { queueFacts } from './queues.ts';
import { asWindow } from './reservations.ts';
import type { DatedJob, SubmissionTimes } from './submission-times.ts';

/** So many take as long to describe as thousands to list. */
const MOST_DESCRIBED = 200;

/** What a cell shows of itself and of everybody's jobs. */
export class WholeSite {
  private readonly access;

  constructor(
    private readonly site: Pick<CommandSite, 'clockSkewSeconds'>,
    private readonly commands: GridEngineCommands,
    private readonly layout: Layout,
    private readonly submissionTimes: SubmissionTimes,
    private readonly equipmentOf: (reading: QueueReading) => Promise<Pick<SiteFacts, 'nodeShapes' | 'licences'>>,
  ) {
    this.access = new QueueAccess((queue) => this.commands.refusalOf(queue));
  }

  async facts(): Promise<SiteFacts> {
    const questions = [this.layout.read(), this.commands.listReservations()] as const;
    const [reading, reservations] = await Promise.all(questions);
    const { readAt, queues, environments, hosts } = reading;
    const refusals = await this.access.refusals(queues, readAt);
    const processors = capacityOf(hosts).all;
    return {
      processors,
      queues: queueFacts(queues, environments, hosts, refusals),
      maintenance: reservations.map((reservation) => asWindow(reservation, processors)),
      ...(await this.equipmentOf(reading)),
    };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const [listed, hosts] = await Promise.all([this.commands.listJobs('EVERYBODY'), this.commands.listHosts()]);
    const jobs = await this.submissionTimes.date(listed);
    this.submissionTimes.keepOnly(listed);
    const capacity = capacityOf(hosts);
    const waiting = jobs.filter(({ phase }) => phase === 'WAITING');
    const details = await this.describeOwn(waiting);
    return {
      observedAt: askedAt + this.site.clockSkewSeconds,
      processors: capacity.inService,
      freeProcessors: capacity.free,
      waiting: waiting.map((job) => withReason(job, details)),
      running: jobs.flatMap(asRunning),
    };
  }

  /** Of our own jobs that wait, those next in turn: nobody is shown why other people's wait. */
  private describeOwn(waiting: readonly DatedJob[]): Promise<ReadonlyMap<string, JobDetail>> {
    const own = waiting.filter(({ name }) => keyOfJobName(name) !== null);
    return this.commands.describeJobs(own.slice(0, MOST_DESCRIBED).map(({ nativeId }) => nativeId));
  }
}
