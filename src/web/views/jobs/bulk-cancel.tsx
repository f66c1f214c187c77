import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { messageOf } from '../../ui/notice.tsx';
import { conditionsOf, type JobConditions, type JobFilters } from './filters.ts';
import { CANCEL_JOBS } from './jobs.graphql.ts';

/** Cancels all open jobs that the filters let through, once their count was told and typed. */
export function BulkCancel({ filters }: { readonly filters: JobFilters }) {
  const conditions = conditionsOf(filters);
  if (Object.keys(filters).length === 0) return null;
  if (conditions) return <CancelButton key={JSON.stringify(conditions)} conditions={conditions} />;
  return <span className="muted">To cancel many at once, filter by state, site or label alone.</span>;
}

function CancelButton({ conditions }: { readonly conditions: JobConditions }) {
  const { count, fault, look, cancel } = useBulkCancel(conditions);
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState<number | null>(null);
  const opened = (isOpen: boolean) => {
    if (!isOpen) return;
    setTyped('');
    void look();
  };
  const confirm = async () => {
    const wrong = await cancel();
    if (wrong === null) setWanted(count);
    setTyped('');
    return wrong;
  };
  return (
    <>
      <ConfirmButton
        label="Cancel these …"
        title="Cancel all open jobs that these filters let through?"
        keep="Keep them"
        act={count === null ? 'Cancel them' : `Cancel ${formatCount(count)} jobs`}
        isDanger
        isDisabled={!count || typed.trim() !== String(count)}
        onOpenChange={opened}
        onConfirm={confirm}
      >
        <Question count={count} fault={fault} typed={typed} onType={setTyped} />
      </ConfirmButton>
      <span aria-live="polite">{wanted !== null && `${formatCount(wanted)} jobs are being cancelled.`}</span>
    </>
  );
}

interface QuestionProps {
  readonly count: number | null;
  readonly fault: string | null;
  readonly typed: string;
  readonly onType: (text: string) => void;
}

function Question({ count, fault, typed, onType }: QuestionProps) {
  if (fault !== null) {
    return (
      <p className="fault" role="alert">
        {fault}
      </p>
    );
  }
  if (count === null) return <p aria-live="polite">They are being counted …</p>;
  if (count === 0) return <p>None of them is open, or none that you may cancel.</p>;
  return (
    <>
      <p>
        These are <strong>{formatCount(count)}</strong> jobs, those among them that this page does not show. What they
        have computed and not written down is lost; what they have used is charged. Bodies of reservations stay: cancel
        those one by one.
      </p>
      <label className="field">
        Type how many they are: {count}
        <input
          value={typed}
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          onChange={({ target }) => onType(target.value)}
        />
      </label>
    </>
  );
}

/** Counts the open jobs that meet some conditions, and cancels them as long as they are as many. */
function useBulkCancel(conditions: JobConditions) {
  const client = useClient();
  const [told, setTold] = useState<{ count: number | null; fault: string | null }>({ count: null, fault: null });
  // The same wish has the same key; after a new count it is another one.
  const key = useRef('');
  const send = async (wish: { readonly dryRun: boolean; readonly expectedCount: number | null }) => {
    const input = { ...wish, filter: conditions, idempotencyKey: wish.dryRun ? null : key.current };
    const { data, error } = await client.mutation(CANCEL_JOBS, { input }).toPromise();
    const wrong = error ? messageOf(error) : (data?.cancelJobs.userErrors[0]?.message ?? null);
    return { wrong, matched: data?.cancelJobs.matched ?? null };
  };
  const look = async () => {
    setTold({ count: null, fault: null });
    key.current = crypto.randomUUID();
    const { wrong, matched } = await send({ dryRun: true, expectedCount: null });
    setTold({ count: wrong === null ? matched : null, fault: wrong });
  };
  const cancel = async () => {
    const { wrong } = await send({ dryRun: false, expectedCount: told.count });
    if (wrong !== null) await look();
    return wrong;
  };
  return { ...told, look, cancel };
}
