import { useRef } from 'react';
import { useMutation } from 'urql';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { messageOf } from '../../ui/notice.tsx';
import { CANCEL_JOB, type JobDetail } from './job.graphql.ts';

/** Cancels a job, once that was confirmed. */
export function CancelButton({ job: { id, name, cancelRequestedAt } }: { readonly job: JobDetail }) {
  const [, cancel] = useMutation(CANCEL_JOB);
  // A second try is the same wish.
  const key = useRef(crypto.randomUUID());
  if (cancelRequestedAt !== null) return <span className="muted">is being cancelled</span>;
  const confirm = async () => {
    const { data, error } = await cancel({ id, key: key.current });
    return error ? messageOf(error) : (data?.cancelJob.userErrors[0]?.message ?? null);
  };
  return (
    <ConfirmButton
      label="Cancel …"
      title={
        <>
          Cancel <bdi>{name}</bdi>?
        </>
      }
      keep="Keep it"
      act="Cancel the job"
      isDanger
      onConfirm={confirm}
    >
      <p>Whatever it has computed and not written down is lost. What it has used is charged.</p>
    </ConfirmButton>
  );
}
