import type { CompletionTimes } from './completion-times.ts';
import { hasNodes, orNull, parseEnd } from './parse-listing.ts';
import { baseState, type SlurmJob } from './slurm-job.ts';

/**
 * Reads lines of a file that jobcomp/filetxt writes, one per run of a job that has ended. A job's name and its folder
 * may contain anything but the end of the line; lines of any other form are left out.
 * @param times reads local times of the controller, written `2026-11-20T18:47:45`
 */
export function parseCompletions(text: string, times: CompletionTimes): SlurmJob[] {
  return text.split('\n').flatMap((line) => {
    const fields = LINE.exec(wholeRecord(line))?.groups;
    if (!fields) return [];
    const { id = '', user = '', name = '', state = '', partition = '', limit = '', nodes = '', exitCode = '' } = fields;
    const { group = '', folder = '', account = '' } = fields;
    const { submit = '', start = '', end = '' } = fields;
    const started = hasNodes(nodes);
    const at = times.read({ submit, start: started ? start : null, end });
    return {
      id,
      name,
      user: user || null,
      partition: partition || null,
      // So a run is written that was ended to put its job back, which accounting calls REQUEUED.
      state: state === 'PENDING' ? 'REQUEUED' : baseState(state),
      processors: Number(fields.processors),
      timeLimitSeconds: /^\d+$/.test(limit) ? Number(limit) * 60 : null,
      priority: 0,
      submitAt: at.submit,
      startAt: at.start,
      endAt: at.end,
      hasNodes: started,
      ...parseEnd(exitCode),
      account: orNull(account),
      group: orNull(group),
      workFolder: orNull(folder),
      use: null,
    };
  });
}

/**
 * The record of a line. One that was torn, as by a full disk, has the next one on its line, which is taken. A job's
 * name may look like that: so only where both are of one user, or the first was torn before its name.
 */
function wholeRecord(line: string): string {
  const next = line.lastIndexOf('JobId=');
  const [, owner] = HEAD.exec(line.slice(next)) ?? [];
  if (next <= 0 || owner === undefined) return line;
  const [, first] = HEAD.exec(line) ?? [];
  return first === owner || !line.slice(0, next).includes(' Name=') ? line.slice(next) : '';
}

const HEAD = /^JobId=\d+\S* UserId=(\S*?\(\d+\)) GroupId=/;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`;
const LINE = new RegExp(
  [
    String.raw`^JobId=(?<id>\S+) UserId=(?<user>\S*?)\(\d+\) GroupId=(?<group>[^\s(]*)\S* Name=(?<name>.*) JobState=(?<state>[A-Z_]+)\S*`,
    String.raw`Partition=(?<partition>\S*) TimeLimit=(?<limit>\S*) StartTime=(?<start>${TIME}|\S*) EndTime=(?<end>${TIME})`,
    String.raw`NodeList=(?<nodes>\S*) NodeCnt=\d+ ProcCnt=(?<processors>\d+) WorkDir=(?<folder>.*) ReservationName=.* Account=(?<account>\S*) QOS=\S* .*`,
    String.raw`SubmitTime=(?<submit>${TIME}) EligibleTime=\S* .*ExitCode=(?<exitCode>\d+:\d+)`,
  ].join(' '),
);
