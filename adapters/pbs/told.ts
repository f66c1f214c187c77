import type { JobUse } from '../../src/domain/job-use.ts';
import { parseBytes, parseCpuSeconds } from '../shared/amounts.ts';
import type { Attributes } from './attributes.ts';

/** What is told of a job beside what is planned on. */
export interface PbsTold {
  readonly account: string | null;
  readonly group: string | null;
  readonly workFolder: string | null;
  readonly use: JobUse;
}

/** Out of what `qstat -f` shows. */
export function toldByDescription(job: Attributes): PbsTold {
  return {
    account: accountOf(job.get('Account_Name'), job.get('project')),
    group: job.get('egroup') || null,
    workFolder: folderOf(job),
    use: useOf(job),
  };
}

/** Out of the words of an accounting record. */
export function toldByRecord(words: Attributes): PbsTold {
  return {
    account: accountOf(words.get('account'), words.get('project')),
    group: words.get('group') || null,
    workFolder: null,
    use: useOf(words),
  };
}

/** Who pays: the account string (qsub -A), or else OpenPBS's project, of which one stands for none. */
function accountOf(account: string | undefined, project: string | undefined): string | null {
  return account || (project === '_pbs_project_default' ? null : project) || null;
}

/** PBS does not count what is read and written. Memory of nought is that of a job too short for a look. */
function useOf(words: Attributes): JobUse {
  return {
    cpuSeconds: parseCpuSeconds(words.get('resources_used.cput')),
    memoryBytes: parseBytes(words.get('resources_used.mem')) || null,
    readBytes: null,
    writtenBytes: null,
  };
}

function folderOf(job: Attributes): string | null {
  const variables = job.get('Variable_List') ?? '';
  const submittedFrom = job.get('Variable_List.PBS_O_WORKDIR') ?? /(?:^|,)PBS_O_WORKDIR=([^,]*)/.exec(variables)?.[1];
  return job.get('init_work_dir') || submittedFrom || null;
}
