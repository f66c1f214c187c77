import { type FormEvent, useEffect, useState } from 'react';
import { readLabel } from './filters.ts';

interface LabelFilterProps {
  readonly label: string;
  readonly onChoose: (label: string) => void;
}

/** A field for a label that jobs must bear. It is taken when it is one, at Enter or when the field is left. */
export function LabelFilter({ label, onChoose }: LabelFilterProps) {
  const [text, setText] = useState(label);
  useEffect(() => setText(label), [label]);
  const isNone = text.trim() !== '' && readLabel(text) === null;
  const choose = () => {
    if (!isNone && text.trim() !== label) onChoose(text.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choose();
  };
  return (
    <form onSubmit={submit} className="choice">
      <label>
        Label{' '}
        <input
          type="search"
          value={text}
          placeholder="name=value"
          maxLength={264}
          aria-invalid={isNone}
          onChange={({ target }) => setText(target.value)}
          onBlur={choose}
        />
      </label>
    </form>
  );
}
