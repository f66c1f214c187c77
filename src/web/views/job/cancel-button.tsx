import { useRef, useState } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useMutation } from 'urql';
import { messageOf } from '../../ui/notice.tsx';
import { CANCEL_JOB, type JobDetail } from './job.graphql.ts';

/** Cancels a job, once that was confirmed. */
export function CancelButton({ job: { id, name, cancelRequestedAt } }: { readonly job: JobDetail }) {
  const [, cancel] = useMutation(CANCEL_JOB);
  const [fault, setFault] = useState<string | null>(null);
  // A second try is the same wish.
  const key = useRef(crypto.randomUUID());
  if (cancelRequestedAt !== null) return <span className="muted">is being cancelled</span>;
  const confirm = async (close: () => void) => {
    const { data, error } = await cancel({ id, key: key.current });
    const wrong = error ? messageOf(error) : data?.cancelJob.userErrors[0]?.message;
    setFault(wrong ?? null);
    if (wrong === undefined) close();
  };
  return (
    <DialogTrigger>
      <Button className="button">Cancel …</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog role="alertdialog">
            {({ close }) => (
              <>
                <Heading slot="title">
                  Cancel <bdi>{name}</bdi>?
                </Heading>
                <p>Whatever it has computed and not written down is lost. What it has used is charged.</p>
                {fault && (
                  <p className="fault" role="alert">
                    {fault}
                  </p>
                )}
                <div className="actions">
                  <Button className="button" onPress={close} autoFocus>
                    Keep it
                  </Button>
                  <Button className="button danger" onPress={() => void confirm(close)}>
                    Cancel the job
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}
