import { type ReactNode, useState } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface ConfirmButtonProps {
  /** On the button that asks. */
  readonly label: string;
  /** What is asked. */
  readonly title: ReactNode;
  /** What follows from it. */
  readonly children: ReactNode;
  /** On the button that leaves everything as it is. */
  readonly keep: string;
  /** On the button that does it. */
  readonly act: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Does it: what went wrong in a sentence, null when nothing did. */
  readonly onConfirm: () => Promise<string | null>;
  /** Told when it is opened or closed. */
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/** A button whose act is confirmed first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title, children, keep, act, isDanger = false, isDisabled = false, onConfirm, onOpenChange } = props;
  const [fault, setFault] = useState<string | null>(null);
  const [isActing, setActing] = useState(false);
  const confirm = async (close: () => void) => {
    setActing(true);
    const wrong = await onConfirm();
    setActing(false);
    setFault(wrong);
    if (wrong === null) close();
  };
  const opened = (isOpen: boolean) => {
    setFault(null);
    onOpenChange?.(isOpen);
  };
  return (
    <DialogTrigger onOpenChange={opened}>
      <Button className="button">{label}</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog role="alertdialog">
            {({ close }) => (
              <>
                <Heading slot="title">{title}</Heading>
                {children}
                {fault && (
                  <p className="fault" role="alert">
                    {fault}
                  </p>
                )}
                <div className="actions">
                  <Button className="button" onPress={close} autoFocus>
                    {keep}
                  </Button>
                  <Button
                    className={isDanger ? 'button danger' : 'button primary'}
                    isDisabled={isDisabled || isActing}
                    onPress={() => void confirm(close)}
                  >
                    {act}
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
