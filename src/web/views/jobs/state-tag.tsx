import { formatWord } from '../../ui/format.ts';

const BAD = new Set([
  'FAILED',
  'TIMEOUT',
  'NODE_FAIL',
  'OUT_OF_MEMORY',
  'REJECTED',
  'LOST',
  'STAGING_FAILED',
  'PREEMPTED',
  'MISSED',
]);
const GOOD = new Set(['RUNNING', 'COMPLETED', 'KEPT', 'HOLDING']);

interface StateTagProps {
  readonly state: string;
  readonly outcome?: string | null;
  readonly reason?: string | null;
}

/** Where something is in its life, or how that ended, as a word; why, for whoever points at it. */
export function StateTag({ state, outcome = null, reason = null }: StateTagProps) {
  const word = outcome ?? state;
  const kind = BAD.has(word) ? 'bad' : GOOD.has(word) ? 'good' : 'plain';
  return (
    <span className={`tag tag-${kind}`} data-state={word} {...(reason !== null && { title: reason })}>
      {formatWord(word)}
    </span>
  );
}
