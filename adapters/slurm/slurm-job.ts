import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobOutcome } from '../../src/domain/job.ts';
import type { JobUse } from '../../src/domain/job-use.ts';

/** A job in Slurm's words, whoever told them: squeue, sacct, a jobcomp file or slurmrestd. */
export interface SlurmJob {
  /** `123`, `123_4` in an array, `123+1` in a heterogeneous job. */
  readonly id: string;
  readonly name: string;
  readonly user: string | null;
  readonly partition: string | null;
  /** One of Slurm's state names. */
  readonly state: string;
  readonly processors: number;
  /** Null without a limit. */
  readonly timeLimitSeconds: number | null;
  readonly priority: number;
  /** Rewritten when the job is put back into the queue. */
  readonly submitAt: EpochSeconds;
  /** Meaningful when it has nodes; while a job waits it is a guess. */
  readonly startAt: EpochSeconds | null;
  readonly endAt: EpochSeconds | null;
  /** Whether nodes are or were allocated to it: only then has it started. */
  readonly hasNodes: boolean;
  /** The script's own status; null where a signal ended it, or it has none. */
  readonly exitCode: number | null;
  /** The other status that it may have been, where the source writes two alike; absent where it does not. */
  readonly otherExitCode?: number | undefined;
  /** What ended its script; null where it ended by itself, absent where that is not told. */
  readonly signal?: number | null | undefined;
  /** Why it waits, in Slurm's word; absent where that is not told. */
  readonly reason?: string | null;
  /** Charged for it; null where there is none, absent where it is not asked for. */
  readonly account?: string | null;
  readonly group?: string | null;
  readonly workFolder?: string | null;
  /** GPUs that it was given, or asks for while it waits; absent where that is not told. */
  readonly gpus?: number;
  /** The same of memory, over all of its nodes; null where none is told. */
  readonly memoryMebibytes?: number | null;
  /** What is billed for each second of it; null before it has nodes, absent where that is not told. */
  readonly billing?: number | null;
  /** What its steps used together; null where nothing is told, absent where it is not asked for. */
  readonly use?: JobUse | null;
}

/** A reservation that somebody has made: its nodes are not for others while it lasts. */
export interface SlurmReservation {
  readonly name: string;
  readonly startAt: EpochSeconds;
  readonly endAt: EpochSeconds;
  /** Null where Slurm does not say. */
  readonly processors: number | null;
  /** Names of its nodes, as Slurm lists them. */
  readonly hostlist: string;
  readonly isMaintenance: boolean;
}

/** Who may use a partition, all names in lower case. */
export interface SlurmAccess {
  /** It is for groups of users that Slurm does not count us to. */
  readonly isOfOtherGroups: boolean;
  readonly isRootOnly: boolean;
  /** It takes only jobs that name a reservation, which ours never do. */
  readonly needsReservation: boolean;
  /** Null for all of them. */
  readonly allowAccounts: readonly string[] | null;
  readonly denyAccounts: readonly string[];
  /** Null for all of them. */
  readonly allowQos: readonly string[] | null;
  readonly denyQos: readonly string[];
}

/** Accounting's word of who may charge an account, or without a user of an account itself. All names in lower case. */
export interface SlurmAssociation {
  readonly cluster: string;
  readonly account: string;
  readonly user: string | null;
  /** The one partition it holds in; null for all. */
  readonly partition: string | null;
  /** The account above; null at the top and for users. */
  readonly parent: string | null;
  /** Those it may ask for; null where only numbers are told. */
  readonly qos: readonly string[] | null;
  readonly defaultQos: string | null;
}

/** Nodes of a partition that are alike. */
export interface SlurmNodes {
  readonly partition: string;
  readonly nodes: number;
  /** Their names, as Slurm lists them. */
  readonly hostlist: string;
  readonly processorsPerNode: number;
  /** Whether jobs may be put there, now or when others end. */
  readonly isInService: boolean;
  /** What each of them has beside; null where that is not told. */
  readonly equipment: SlurmEquipment | null;
}

/** What a node has beside processors. */
export interface SlurmEquipment {
  readonly memoryMebibytes: number;
  readonly tmpMebibytes: number;
  readonly features: readonly string[];
  readonly gpus: readonly SlurmGpus[];
}

/** GPUs of one kind; null where the site names none. */
export interface SlurmGpus {
  readonly kind: string | null;
  readonly count: number;
}

/** Memory that a job gets that asks for none, perhaps it is not told how much; null where that is all of its nodes. */
export type SlurmDefaultMemory =
  | { readonly perProcessorMebibytes: number | null }
  | { readonly perNodeMebibytes: number }
  | null;

/** A licence that Slurm counts out. */
export interface SlurmLicence {
  readonly name: string;
  readonly total: number;
}

/** What holds for a whole cluster. */
export interface SlurmSettings {
  /** Whether memory is given out like processors, so that who has it all has the node. */
  readonly isMemoryCounted: boolean;
  readonly defaultMemory: SlurmDefaultMemory;
  readonly maxMemoryPerProcessorMebibytes: number | null;
  /** Jobs never share nodes. */
  readonly isWholeNodes: boolean;
  /** A job is billed the dearest of what it has, not all of it. */
  readonly isBilledByLargest: boolean;
}

/** A partition with what limits a job in it. */
export interface SlurmPartition {
  readonly name: string;
  readonly isDefault: boolean;
  /** Only those that are up take and start jobs. */
  readonly isUp: boolean;
  /** Its state in Slurm's word. */
  readonly state: string;
  readonly access: SlurmAccess;
  readonly processors: number;
  readonly nodes: number;
  readonly maxNodes: number | null;
  readonly maxProcessorsPerNode: number | null;
  readonly maxSeconds: number | null;
  /** Null where the cluster's holds. */
  readonly defaultMemory: SlurmDefaultMemory;
  /** More of it takes more processors; null where the cluster's limit holds. */
  readonly maxMemoryPerProcessorMebibytes: number | null;
  readonly isWholeNodes: boolean;
  /** In Slurm's words, `CPU=1.0,Mem=0.25G,GRES/gpu=8.0`; empty where processors alone are billed. */
  readonly billingWeights: string;
}

/** All processors of a cluster, each counted once however many partitions it is in. */
export interface SlurmProcessors {
  readonly allocated: number;
  readonly idle: number;
  /** Of nodes that are down, drained or draining. */
  readonly other: number;
}

/** What a state means for us. */
export type StateMeaning = 'WAITING' | 'RUNNING' | JobOutcome;

/** Every base state and flag that Slurm shows in place of one. Source: man squeue, section JOB STATE CODES. */
const MEANINGS: Readonly<Record<string, StateMeaning>> = {
  PENDING: 'WAITING',
  REQUEUED: 'WAITING',
  REQUEUE_FED: 'WAITING',
  REQUEUE_HOLD: 'WAITING',
  RESV_DEL_HOLD: 'WAITING',
  SPECIAL_EXIT: 'WAITING',
  CONFIGURING: 'RUNNING',
  RUNNING: 'RUNNING',
  SUSPENDED: 'RUNNING',
  STOPPED: 'RUNNING',
  SIGNALING: 'RUNNING',
  RESIZING: 'RUNNING',
  STAGE_OUT: 'RUNNING',
  COMPLETING: 'RUNNING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
  DEADLINE: 'CANCELLED',
  REVOKED: 'CANCELLED',
  TIMEOUT: 'TIMEOUT',
  NODE_FAIL: 'NODE_FAIL',
  BOOT_FAIL: 'NODE_FAIL',
  PREEMPTED: 'PREEMPTED',
  OUT_OF_MEMORY: 'OUT_OF_MEMORY',
};

/**
 * Names of the states in which a run has ended, as accounting is asked for them, also that of one that was ended to put
 * the job back into the queue. Asked for REVOKED slurmdb gives pending jobs.
 */
export const ENDED_STATES = [
  ...['COMPLETED', 'FAILED', 'CANCELLED', 'DEADLINE', 'TIMEOUT'],
  ...['NODE_FAIL', 'BOOT_FAIL', 'PREEMPTED', 'OUT_OF_MEMORY', 'REQUEUED'],
] as const;

/** What a state means; null for a word Slurm has learned since, about which nothing is claimed. */
export function meaningOf(state: string): StateMeaning | null {
  return MEANINGS[state] ?? null;
}

/** Whether the job is in the queue or runs. */
export function isLive(job: SlurmJob | undefined): boolean {
  const meaning = job && meaningOf(job.state);
  return meaning === 'WAITING' || meaning === 'RUNNING';
}

/**
 * Accounting goes on to show a job as waiting or running that the controller has lost, and shows as requeued a run that
 * was taken back.
 */
export function hasEnded(job: SlurmJob): boolean {
  return !isLive(job);
}

/** Slurm's own word of a state: sacct writes `CANCELLED by 1001`, squeue a `+` after one that has flags. */
export function baseState(words: string): string {
  return /^[A-Z_]+/.exec(words)?.[0] ?? words;
}
