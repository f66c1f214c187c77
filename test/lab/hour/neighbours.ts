import { RandomStream } from '../../../src/sim/random.ts';
import type { Lab } from '../lab.ts';
import type { LabUser } from '../users.ts';

/** Other people's job. */
interface NeighbourJob {
  readonly processors: number;
  readonly runSeconds: number;
  readonly walltimeMinutes: number;
}

/** A batch system that other people use too. */
interface Neighbourhood {
  readonly name: string;
  readonly processors: number;
  submit(user: LabUser, job: NeighbourJob): boolean;
}

/** Other people at work at every system of a lab. */
export interface Neighbours {
  /** Jobs that were accepted so far, by system. */
  counts(): Readonly<Record<string, number>>;
  stop(): void;
}

const TICK_MILLISECONDS = 1000;
/** Their load, in parts of the machine, grows and ebbs between these. */
const [EBB, FLOOD] = [0.5, 1.3];
const TIDE_SECONDS = 1200;
const SIZES = [1, 1, 1, 2, 2, 4, 8];

/** Lets bob and carol hand in jobs at every system, so that the queues grow and ebb, at each system at another time. */
export function startNeighbours(lab: Lab, seed: number): Neighbours {
  const random = new RandomStream(seed);
  const startedAt = performance.now();
  const places = neighbourhoods(lab);
  const counts: Record<string, number> = Object.fromEntries(places.map(({ name }) => [name, 0]));
  const timer = setInterval(() => {
    const seconds = (performance.now() - startedAt) / 1000;
    places.forEach((place, n) => {
      const phase = n / places.length;
      const tide = (1 - Math.cos(2 * Math.PI * (seconds / TIDE_SECONDS + phase))) / 2;
      const load = EBB + (FLOOD - EBB) * tide;
      const arrivals = (load * place.processors) / MEAN_PROCESSOR_SECONDS;
      if (random.uniform() >= arrivals * (TICK_MILLISECONDS / 1000)) return;
      const user = random.uniform() < 0.5 ? 'bob' : 'carol';
      if (place.submit(user, drawJob(random))) counts[place.name] = (counts[place.name] ?? 0) + 1;
    });
  }, TICK_MILLISECONDS);
  return { counts: () => ({ ...counts }), stop: () => clearInterval(timer) };
}

const [SHORTEST_SECONDS, LONGEST_SECONDS] = [10, 120];
const MEAN_SIZE = SIZES.reduce((sum, size) => sum + size, 0) / SIZES.length;
const MEAN_PROCESSOR_SECONDS = (MEAN_SIZE * (SHORTEST_SECONDS + LONGEST_SECONDS)) / 2;

function drawJob(random: RandomStream): NeighbourJob {
  const processors = SIZES[Math.floor(random.uniform() * SIZES.length)] ?? 1;
  const runSeconds = Math.round(SHORTEST_SECONDS + random.uniform() * (LONGEST_SECONDS - SHORTEST_SECONDS));
  return { processors, runSeconds, walltimeMinutes: Math.ceil((runSeconds * (1.2 + 2 * random.uniform())) / 60) };
}

function neighbourhoods(lab: Lab): Neighbourhood[] {
  const clusters = lab.clusters.map((cluster) => ({
    name: cluster.name,
    processors: cluster.processors,
    submit(user: LabUser, { processors, runSeconds, walltimeMinutes }: NeighbourJob) {
      const words = [`--ntasks=${processors}`, `--time=${walltimeMinutes}`, '--output=/dev/null'];
      return cluster.run(['sbatch', ...words, `--wrap=sleep ${runSeconds}`], { user }).status === 0;
    },
  }));
  const cells = lab.cells.map((cell) => ({
    name: cell.name,
    processors: cell.spec.slots,
    submit(user: LabUser, { processors, runSeconds, walltimeMinutes }: NeighbourJob) {
      const words = ['-b', 'y', '-pe', 'smp', String(processors), '-l', `h_rt=${walltimeMinutes * 60}`];
      const output = ['-o', '/dev/null', '-e', '/dev/null'];
      return cell.run(['qsub', ...words, ...output, '/bin/sleep', String(runSeconds)], { user }).status === 0;
    },
  }));
  const servers = lab.servers.map((server) => ({
    name: server.name,
    processors: server.processors,
    submit(user: LabUser, { processors, runSeconds, walltimeMinutes }: NeighbourJob) {
      const resources = `/resource_id=${processors},walltime=0:${walltimeMinutes}:0`;
      const output = ['-O', '/dev/null', '-E', '/dev/null', '-d', server.workFolder];
      return server.run(['oarsub', '-l', resources, ...output, `sleep ${runSeconds}`], { user }).status === 0;
    },
  }));
  return [...clusters, ...cells, ...servers];
}
