import { readFileSync } from 'node:fs';

/** What a cell is made of. */
export interface GridEngineSpec {
  /** Also the name of its only host. */
  readonly name: string;
  readonly slots: number;
}

/** Times that Debian's configuration gives in tens of seconds, and what an ordinary account may not do. */
const GLOBAL: Readonly<Record<string, string>> = {
  mailer: '/bin/true',
  load_report_time: '00:00:05',
  max_unheard: '00:00:20',
  execd_params: 'PDC_INTERVAL=1',
  reporting_params:
    'accounting=true reporting=false flush_time=00:00:01 accounting_flush_time=00:00:00 joblog=false sharelog=00:00:00',
};

const SCHEDULER: Readonly<Record<string, string>> = {
  schedule_interval: '0:0:1',
  flush_submit_sec: '1',
  flush_finish_sec: '1',
  load_adjustment_decay_time: '0:0:0',
  job_load_adjustments: 'NONE',
  max_reservation: '20',
};

/** The queues: the default one, and a short one that chooses the wrong shell for every script. */
export function queueConfigurations(template: string, { name, slots }: GridEngineSpec): string[] {
  const common = { hostlist: name, load_thresholds: 'NONE', notify: '00:00:02' };
  const batch = {
    ...common,
    qname: 'batch.q',
    seq_no: '0',
    slots: String(slots),
    pe_list: 'smp mpi',
    shell: '/bin/bash',
    shell_start_mode: 'unix_behavior',
    h_rt: '24:00:00',
  };
  const short = {
    ...common,
    qname: 'short.q',
    seq_no: '10',
    slots: String(Math.max(1, Math.floor(slots / 4))),
    pe_list: 'smp',
    shell: '/bin/false',
    shell_start_mode: 'posix_compliant',
    h_rt: '0:10:0',
  };
  return [batch, short].map((changes) => withAttributes(template, changes));
}

export function bootstrap(files: GridEngineFiles): string {
  return attributes({
    admin_user: 'sgeadmin',
    default_domain: 'none',
    ignore_fqdn: 'false',
    spooling_method: 'classic',
    spooling_lib: 'libspoolc',
    spooling_params: `${files.common};${files.masterSpool}`,
    binary_path: '/usr/sbin',
    qmaster_spool_dir: files.masterSpool,
    security_mode: 'none',
    listener_threads: '2',
    worker_threads: '2',
    scheduler_threads: '1',
  });
}

/** Groups that a cell has to mark the processes of its jobs with. */
export const GROUPS_PER_CELL = 100;

/**
 * @param firstGroup the first of the cell's own groups: an execution daemon kills whatever bears the group of a job
 * that has ended, in another cell's namespace too
 */
export function globalConfiguration(files: GridEngineFiles, firstGroup: number): string {
  const template = readFileSync('/usr/share/gridengine/default-configuration', 'utf8');
  const gid_range = `${firstGroup}-${firstGroup + GROUPS_PER_CELL - 1}`;
  return withAttributes(template, { ...GLOBAL, execd_spool_dir: files.execSpool, gid_range });
}

export function schedulerConfiguration(template: string): string {
  return withAttributes(template, SCHEDULER);
}

/** The only host, whose queues have no more slots together than it. */
export function hostConfiguration({ name, slots }: GridEngineSpec): string {
  return attributes({
    hostname: name,
    load_scaling: 'NONE',
    complex_values: `slots=${slots}`,
    user_lists: 'NONE',
    xuser_lists: 'NONE',
    projects: 'NONE',
    xprojects: 'NONE',
    usage_scaling: 'NONE',
    report_variables: 'NONE',
  });
}

/** One that keeps a job on one host and one that fills host after host. */
export function parallelEnvironments(): string[] {
  return Object.entries({ smp: '$pe_slots', mpi: '$fill_up' }).map(([name, rule]) =>
    attributes({
      pe_name: name,
      slots: '9999',
      user_lists: 'NONE',
      xuser_lists: 'NONE',
      start_proc_args: '/bin/true',
      stop_proc_args: '/bin/true',
      allocation_rule: rule,
      control_slaves: 'FALSE',
      job_is_first_task: 'TRUE',
      urgency_slots: 'min',
      accounting_summary: 'FALSE',
      qsort_args: 'NONE',
    }),
  );
}

/** Where a cell keeps what. */
export function gridEngineFiles(folder: string) {
  return {
    root: `${folder}/root`,
    common: `${folder}/root/default/common`,
    accounting: `${folder}/root/default/common/accounting`,
    masterSpool: `${folder}/spool/qmaster`,
    execSpool: `${folder}/spool/execd`,
    configuration: `${folder}/configuration`,
    clients: `${folder}/clients`,
  };
}

export type GridEngineFiles = ReturnType<typeof gridEngineFiles>;

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('');
}

/** A configuration with some of its attributes replaced. */
function withAttributes(template: string, changes: Readonly<Record<string, string>>): string {
  const lines = template.replace(/\\\n\s*/g, '').split('\n');
  return lines
    .map((line) => {
      const [name = ''] = line.split(/\s/);
      return changes[name] === undefined ? line : `${name} ${changes[name]}`;
    })
    .join('\n');
}
