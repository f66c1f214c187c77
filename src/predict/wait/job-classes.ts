import { keepClass } from '../../domain/kept-classes.ts';

/** One job as the grouping sees it. */
export interface ClassedWait {
  readonly processors: number;
  /** Null where the log has no requested walltime. */
  readonly walltimeSeconds: number | null;
  readonly waitSeconds: number;
}

/** A partition of jobs by processors and requested walltime into classes that wait alike. */
export class JobClasses {
  /** @param classByCell for each bin of processors those of walltimes */
  constructor(
    readonly count: number,
    private readonly classByCell: Int32Array,
  ) {}

  /** Number of the class, from 0, of any job, seen before or not. */
  classOf(processors: number, walltimeSeconds: number | null): number {
    return this.classByCell[processorsBin(processors) * WALLTIME_BINS + walltimeBin(walltimeSeconds)] as number;
  }
}

/**
 * Finds the classes by model-based clustering: the plane of processors and walltime is cut in two along one axis,
 * wherever that raises the likelihood of log-normal waits most, and so on in both parts, as long as the Bayesian
 * information criterion gains. O(n) in the number of waits.
 *
 * Source: automatic grouping as in nurmi-varq, section 2.3, after Nurmi, Brevik and Wolski, QBETS: queue bounds
 * estimation from time series, JSSPP 2007, section 3.3; criterion: Schwarz, Estimating the dimension of a model, Annals
 * of Statistics 6 (1978).
 * @param smallestClass least number of waits in a class
 */
export function findJobClasses(waits: readonly ClassedWait[], smallestClass: number): JobClasses {
  const grid = newGrid();
  for (const wait of waits) {
    const cell = grid[processorsBin(wait.processors) * WALLTIME_BINS + walltimeBin(wait.walltimeSeconds)] as Moments;
    addTo(cell, Math.log(Math.max(0, wait.waitSeconds) + WAIT_OFFSET_SECONDS));
  }
  const classes = partition(grid, WHOLE_PLANE, smallestClass, Math.log(Math.max(2, waits.length)));
  const classByCell = new Int32Array(PROCESSORS_BINS * WALLTIME_BINS);
  classes.forEach((area, index) => {
    for (const cell of cellsOf(area)) classByCell[cell] = index;
  });
  return new JobClasses(classes.length, classByCell);
}

/** Bins of the two axes, from inclusive to exclusive. */
interface Area {
  readonly processors: readonly [number, number];
  readonly walltime: readonly [number, number];
}

interface Moments {
  count: number;
  sum: number;
  squares: number;
}

function partition(grid: readonly Moments[], area: Area, smallestClass: number, logSampleSize: number): Area[] {
  const whole = momentsOf(grid, area);
  const penalty = (PARAMETERS_PER_CUT / 2) * logSampleSize;
  let best: { gain: number; parts: readonly [Area, Area] } | null = null;
  for (const parts of cutsOf(area)) {
    const [left, right] = [momentsOf(grid, parts[0]), momentsOf(grid, parts[1])];
    if (left.count < smallestClass || right.count < smallestClass) continue;
    const gain = logLikelihood(left) + logLikelihood(right) - logLikelihood(whole) - penalty;
    if (gain > (best?.gain ?? 0)) best = { gain, parts };
  }
  return best ? best.parts.flatMap((part) => partition(grid, part, smallestClass, logSampleSize)) : [area];
}

function cutsOf({ processors, walltime }: Area): (readonly [Area, Area])[] {
  const cuts: (readonly [Area, Area])[] = [];
  for (let at = processors[0] + 1; at < processors[1]; at++) {
    cuts.push([
      { processors: [processors[0], at], walltime },
      { processors: [at, processors[1]], walltime },
    ]);
  }
  for (let at = walltime[0] + 1; at < walltime[1]; at++) {
    cuts.push([
      { processors, walltime: [walltime[0], at] },
      { processors, walltime: [at, walltime[1]] },
    ]);
  }
  return cuts;
}

function cellsOf({ processors, walltime }: Area): number[] {
  const cells: number[] = [];
  for (let p = processors[0]; p < processors[1]; p++) {
    for (let w = walltime[0]; w < walltime[1]; w++) cells.push(p * WALLTIME_BINS + w);
  }
  return cells;
}

function momentsOf(grid: readonly Moments[], area: Area): Moments {
  const total = { count: 0, sum: 0, squares: 0 };
  for (const cell of cellsOf(area)) {
    const moments = grid[cell] as Moments;
    total.count += moments.count;
    total.sum += moments.sum;
    total.squares += moments.squares;
  }
  return total;
}

/** Log-likelihood of normal values at their own mean and deviation, up to a constant per value. */
function logLikelihood({ count, sum, squares }: Moments): number {
  const variance = Math.max(LEAST_VARIANCE, squares / count - (sum / count) ** 2);
  return (-count / 2) * Math.log(variance);
}

function addTo(moments: Moments, value: number): void {
  moments.count++;
  moments.sum += value;
  moments.squares += value * value;
}

function newGrid(): Moments[] {
  return Array.from({ length: PROCESSORS_BINS * WALLTIME_BINS }, () => ({ count: 0, sum: 0, squares: 0 }));
}

/** Powers of two: 1, 2, 3-4, 5-8, ... */
function processorsBin(processors: number): number {
  return Math.min(PROCESSORS_BINS - 1, Math.max(0, Math.ceil(Math.log2(Math.max(1, processors)))));
}

function walltimeBin(walltimeSeconds: number | null): number {
  if (walltimeSeconds === null) return WALLTIME_BINS - 1;
  let bin = 0;
  while (bin < WALLTIME_EDGES_SECONDS.length && walltimeSeconds > (WALLTIME_EDGES_SECONDS[bin] as number)) bin++;
  return bin;
}

/** The limits that sites and users like: from a quarter of an hour to ten days. */
const WALLTIME_EDGES_SECONDS = [
  300, 900, 1800, 3600, 7200, 10800, 14400, 21600, 28800, 43200, 64800, 86400, 129600, 172800, 259200, 432000, 864000,
];
const WALLTIME_BINS = WALLTIME_EDGES_SECONDS.length + 2;
const PROCESSORS_BINS = 20;
const WHOLE_PLANE: Area = { processors: [0, PROCESSORS_BINS], walltime: [0, WALLTIME_BINS] };
/** Mean, deviation and the place of the cut. */
const PARAMETERS_PER_CUT = 3;
/** Waits below a minute differ by the scheduler's cycle, not by class. */
const WAIT_OFFSET_SECONDS = 60;
const LEAST_VARIANCE = 1e-3;

keepClass(JobClasses);

/** Every job in one class. Frozen, as all predictors begin with it. */
export const ONE_CLASS = new JobClasses(1, new Int32Array(PROCESSORS_BINS * WALLTIME_BINS));
Object.freeze(ONE_CLASS);
