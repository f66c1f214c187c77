import { readFileSync } from 'node:fs';

/** What an OAR site is made of. */
export interface OarSpec {
  readonly name: string;
  readonly nodes: number;
  readonly processorsPerNode: number;
}

export const DATABASE_PORT = 5432;
export const SERVER_PORT = 6666;

/**
 * Where the database is and times in seconds that Debian's configuration gives in minutes; no cpusets, which need
 * cgroups.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  DB_TYPE: 'Pg',
  DB_HOSTNAME: '127.0.0.1',
  DB_PORT: String(DATABASE_PORT),
  DB_BASE_PASSWD: 'oar',
  DB_BASE_PASSWD_RO: 'oar_ro',
  SCHEDULER_JOB_SECURITY_TIME: '1',
  SCHEDULER_GANTT_HOLE_MINIMUM_TIME: '1',
  PINGCHECKER_GENERIC_COMMAND: '/bin/true',
};
const LEFT_OUT = /^(JOB_RESOURCE_MANAGER_PROPERTY_DB_FIELD|PINGCHECKER_SENTINELLE_SCRIPT_COMMAND)=/;

/** Debian's oar.conf with the lab's settings. */
export function oarConfiguration(hostName: string): string {
  const settings: Readonly<Record<string, string>> = { ...SETTINGS, SERVER_HOSTNAME: hostName };
  const lines = readFileSync('/etc/oar/oar.conf', 'utf8').split('\n');
  const others = lines.filter((line) => !LEFT_OUT.test(line) && !((/^(\w+)=/.exec(line)?.[1] ?? '') in settings));
  return [...others, ...Object.entries(settings).map(([name, value]) => `${name}="${value}"`), ''].join('\n');
}

/** SQL that makes the nodes' processors known, as `oarnodesetting -a` would one by one. */
export function resourcesSql({ nodes, processorsPerNode }: OarSpec): string {
  const rows = Array.from({ length: nodes * processorsPerNode }, (_, index) => {
    const node = `node${Math.floor(index / processorsPerNode) + 1}`;
    return `('default', '${node}', 'Alive', 'UnChanged', '${index % processorsPerNode}')`;
  });
  return `INSERT INTO resources (type, network_address, state, next_state, cpuset) VALUES ${rows.join(', ')}`;
}

export const MAX_WALLTIME_SECONDS = 86_400;

/** SQL of an admission rule, in Perl as they are, that limits the walltime: OAR itself knows no limit. */
export const WALLTIME_RULE_SQL = `INSERT INTO admission_rules (rule) VALUES ($rule$
foreach my $mold (@{$ref_resource_list}) {
  if (defined($mold->[1]) and $mold->[1] > ${MAX_WALLTIME_SECONDS}) {
    die("[ADMISSION RULE] The walltime is longer than ${MAX_WALLTIME_SECONDS} s, which is the maximum\\n");
  }
}
$rule$)`;

/** SQL that gives a job so many brothers, as `oarsub` would one by one. */
export function brothersSql(jobId: string, count: number): string {
  const columns = [
    ...['initial_request', 'job_name', 'job_type', 'state', 'reservation', 'message', 'job_user', 'project', 'command'],
    ...['queue_name', 'properties', 'launching_directory', 'submission_time', 'checkpoint_signal'],
    ...['stdout_file', 'stderr_file'],
  ].join(', ');
  return `INSERT INTO jobs (${columns}) SELECT ${columns} FROM jobs, generate_series(1, ${count}) WHERE job_id = ${Number(jobId)}`;
}

/** Where a site keeps what; the first three take the place of the machine's own in its namespace. */
export function oarFiles(folder: string) {
  return {
    etc: `${folder}/etc`,
    home: `${folder}/home`,
    run: `${folder}/run`,
    database: `${folder}/database`,
    work: `${folder}/work`,
    clients: `${folder}/clients`,
  };
}
