import type { OarServer } from '../oar/server.ts';
import { type AccountedRun, keyIn } from './accounted-run.ts';

const PUT_AWAY = ['Terminated', 'Error'];

/** Every job of a user in an OAR server's own tables. */
export function oarRuns(server: OarServer, user: string): AccountedRun[] {
  const rows = server.sql(`SELECT j.job_id, j.job_name, j.state, j.start_time, j.stop_time, COALESCE(j.exit_code, -1),
      (SELECT count(*) FROM assigned_resources a WHERE a.moldable_job_id = j.assigned_moldable_job),
      (SELECT COALESCE(string_agg(DISTINCT e.type, ' '), '') FROM event_logs e WHERE e.job_id = j.job_id)
    FROM jobs j WHERE j.job_user = '${user}'`);
  return rows.trim().split('\n').filter(Boolean).map(runOf);
}

function runOf(row: string): AccountedRun {
  const [nativeId = '', name = '', state = '', start, stop, exit, processors, events = ''] = row.split('|');
  const ended = PUT_AWAY.includes(state);
  const startAt = momentOf(start);
  const waitStatus = Number(exit);
  const outcome = ended ? outcomeOf(state, waitStatus, events) : null;
  const hasExited = outcome === 'COMPLETED' || outcome === 'FAILED';
  return {
    nativeId,
    key: keyIn(name),
    state: ended ? 'ENDED' : startAt === null ? 'WAITING' : 'RUNNING',
    putBack: false,
    outcome,
    processors: Number(processors),
    startAt,
    endAt: ended ? momentOf(stop) : null,
    exitCode: hasExited && waitStatus >= 0 ? shellStatus(waitStatus) : null,
  };
}

/** As a shell tells it: a signal adds 128 to its number. */
function shellStatus(waitStatus: number): number {
  const signal = waitStatus & 0x7f;
  return signal === 0 ? waitStatus >> 8 : 128 + signal;
}

function outcomeOf(state: string, waitStatus: number, events: string): string {
  if (state === 'Terminated' && (waitStatus & 0x7f) === 0) return waitStatus > 0 ? 'FAILED' : 'COMPLETED';
  if (/\bWALLTIME\b/.test(events)) return 'TIMEOUT';
  return /\bFRAG_JOB_REQUEST\b/.test(events) ? 'CANCELLED' : 'FAILED';
}

function momentOf(epoch: string | undefined): number | null {
  const seconds = Number(epoch);
  return seconds > 0 ? seconds : null;
}
