import { join } from 'node:path';

/** What a cluster of the lab is made of. */
export interface SlurmClusterSpec {
  /** Lower-case letters; the nodes are called after it. */
  readonly name: string;
  readonly nodes: number;
  readonly processorsPerNode: number;
  /** With slurmdbd on a database of its own; without it the history is in a jobcomp file. */
  readonly accounting: boolean;
  /** With slurmrestd and JWT. */
  readonly rest: boolean;
  /** Its users come by ssh to the lab's login node, where it has no slurmrestd. */
  readonly throughLogin?: boolean;
  /** Lines of slurm.conf that replace or add to ours, by parameter. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What nodes are like, by their number from 1: words of slurm.conf that replace or add to ours. */
  readonly nodeWords?: Readonly<Record<number, Readonly<Record<string, string | number>>>>;
  /** Partitions in place of `batch` and `short` or beside them, by name: words of slurm.conf. */
  readonly partitions?: Readonly<Record<string, string>>;
  /** The devices that the words of nodes count as `Gres`. */
  readonly gres?: readonly SlurmDevices[];
  /** What accounting is told once everything runs: words of `sacctmgr`. */
  readonly accounts?: readonly (readonly string[])[];
}

/** Devices of one kind on some nodes; files stand in for them. */
export interface SlurmDevices {
  /** Numbers of the nodes, from 1. */
  readonly nodes: readonly number[];
  readonly name: string;
  readonly kind: string;
  readonly count: number;
}

/** Ports of 127.0.0.1 that a cluster uses. Node number n, from 1, listens on `controller + n`. */
export interface SlurmPorts {
  readonly controller: number;
  readonly accounting: number;
  readonly rest: number;
  readonly database: number;
}

/** Ports that a cluster takes from its base: the controller, up to sixteen nodes and its services. */
export const PORTS_PER_CLUSTER = 20;
export const MAX_NODES = 16;

export function slurmPorts(base: number): SlurmPorts {
  return { controller: base, accounting: base + 17, rest: base + 18, database: base + 19 };
}

/** Where a cluster keeps what. */
export function slurmFiles(folder: string) {
  return {
    configuration: join(folder, 'etc/slurm.conf'),
    devicesConfiguration: join(folder, 'etc/gres.conf'),
    devices: join(folder, 'devices'),
    accountingConfiguration: join(folder, 'etc/slurmdbd.conf'),
    jwtKey: join(folder, 'etc/jwt.key'),
    mungeKey: join(folder, 'munge/munge.key'),
    mungeSocket: join(folder, 'munge/munge.socket'),
    state: join(folder, 'state'),
    spool: join(folder, 'spool'),
    jobCompletions: join(folder, 'jobcomp/jobcomp.log'),
    /** A folder of clients for every user of the lab. */
    clients: join(folder, 'clients'),
    restSocket: join(folder, 'rest/slurmrestd.sock'),
  };
}

/**
 * The text of slurm.conf: loopback only, no cgroups, invented hardware, a scheduler that looks every second. Daemons
 * bear that a busy machine keeps one of them silent for half a minute: with a patience of seconds Slurm puts back or
 * holds the jobs that it was just starting.
 */
export function slurmConfiguration(folder: string, spec: SlurmClusterSpec, ports: SlurmPorts, host: string): string {
  const files = slurmFiles(folder);
  const accounting = spec.accounting
    ? {
        AccountingStorageType: 'accounting_storage/slurmdbd',
        AccountingStorageHost: '127.0.0.1',
        AccountingStoragePort: ports.accounting,
        AccountingStoragePass: files.mungeSocket,
        AccountingStoreFlags: 'job_comment',
      }
    : { AccountingStorageType: 'accounting_storage/none' };
  const parameters: Record<string, string | number> = {
    ClusterName: spec.name,
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmctldPort: ports.controller,
    SlurmUser: 'slurm',
    SlurmdUser: 'root',
    AuthType: 'auth/munge',
    AuthInfo: `socket=${files.mungeSocket},cred_expire=60`,
    CredType: 'cred/munge',
    AuthAltTypes: 'auth/jwt',
    AuthAltParameters: `jwt_key=${files.jwtKey}`,
    CommunicationParameters: 'NoCtldInAddrAny,NoInAddrAny',
    StateSaveLocation: files.state,
    SlurmdSpoolDir: `${files.spool}/%n`,
    SlurmctldPidFile: join(folder, 'run/slurmctld.pid'),
    SlurmdPidFile: join(folder, 'run/slurmd-%n.pid'),
    SlurmctldDebug: 'info',
    SlurmdDebug: 'info',
    ProctrackType: 'proctrack/linuxproc',
    TaskPlugin: 'task/none',
    JobAcctGatherType: 'jobacct_gather/none',
    MpiDefault: 'none',
    SwitchType: 'switch/none',
    PropagateResourceLimits: 'NONE',
    SlurmdParameters: 'config_overrides',
    ReturnToService: 1,
    EnforcePartLimits: 'ALL',
    SelectType: 'select/cons_tres',
    SelectTypeParameters: 'CR_CPU',
    SchedulerType: 'sched/backfill',
    SchedulerParameters: [
      'bf_interval=1,bf_continue,bf_resolution=1,bf_window=2880,bf_max_job_test=1000',
      'sched_interval=5,batch_sched_delay=0,sched_min_interval=0,default_queue_depth=1000',
    ].join(','),
    PriorityType: 'priority/basic',
    MaxJobCount: 20_000,
    MinJobAge: 300,
    KillWait: 2,
    OverTimeLimit: 0,
    InactiveLimit: 0,
    SlurmctldTimeout: 30,
    SlurmdTimeout: 20,
    BatchStartTimeout: 30,
    MessageTimeout: 30,
    TCPTimeout: 10,
    JobRequeue: 1,
    JobCompType: 'jobcomp/filetxt',
    JobCompLoc: files.jobCompletions,
    ...accounting,
    ...spec.parameters,
  };
  return [
    ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
    ...nodeLines(spec, ports, host),
    ...Object.entries({ ...PARTITIONS, ...spec.partitions }).map(([name, words]) => `PartitionName=${name} ${words}`),
    '',
  ].join('\n');
}

/** Of every cluster. */
const PARTITIONS = {
  batch: 'Nodes=ALL Default=YES MaxTime=24:00:00 DefaultTime=00:10:00 State=UP',
  short: 'Nodes=ALL MaxTime=00:05:00 DefaultTime=00:01:00 PriorityTier=10 State=UP',
};

function nodeLines(spec: SlurmClusterSpec, { controller }: SlurmPorts, host: string): string[] {
  return Array.from({ length: spec.nodes }, (_, index) => {
    const words = {
      NodeName: `${spec.name}${index + 1}`,
      NodeHostname: host,
      NodeAddr: '127.0.0.1',
      Port: controller + index + 1,
      CPUs: spec.processorsPerNode,
      RealMemory: 16_000,
      State: 'UNKNOWN',
      ...spec.nodeWords?.[index + 1],
    };
    return Object.entries(words)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
  });
}

/** The text of gres.conf, a line for the devices of a kind of a node. */
export function devicesConfiguration(folder: string, spec: SlurmClusterSpec): string {
  return (spec.gres ?? [])
    .flatMap((devices) => {
      return devices.nodes.map((node) => {
        const files = deviceFiles(folder, devices, node).join(',');
        return `NodeName=${spec.name}${node} Name=${devices.name} Type=${devices.kind} File=${files}\n`;
      });
    })
    .join('');
}

/** The files that stand in for the devices of a kind of a node. */
export function deviceFiles(folder: string, { kind, count }: SlurmDevices, node: number): string[] {
  const { devices } = slurmFiles(folder);
  return Array.from({ length: count }, (_, index) => join(devices, `node${node}-${kind}-${index}`));
}

/** The text of slurmdbd.conf. */
export function accountingConfiguration(folder: string, ports: SlurmPorts): string {
  const files = slurmFiles(folder);
  const parameters = {
    AuthType: 'auth/munge',
    AuthInfo: `socket=${files.mungeSocket}`,
    AuthAltTypes: 'auth/jwt',
    AuthAltParameters: `jwt_key=${files.jwtKey}`,
    DbdHost: 'localhost',
    DbdAddr: '127.0.0.1',
    DbdPort: ports.accounting,
    SlurmUser: 'slurm',
    CommunicationParameters: 'NoInAddrAny',
    DebugLevel: 'info',
    PidFile: join(folder, 'run/slurmdbd.pid'),
    StorageType: 'accounting_storage/mysql',
    StorageHost: '127.0.0.1',
    StoragePort: ports.database,
    StorageUser: 'slurm',
    StoragePass: 'slurm',
    StorageLoc: 'slurm_accounting',
    CommitDelay: 1,
  };
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
