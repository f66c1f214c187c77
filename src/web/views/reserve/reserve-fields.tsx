import type { ChangeEvent, ReactNode } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { formatZoned } from '../../ui/format.ts';
import { SITE_NAMES } from '../jobs/jobs.graphql.ts';
import { type Faults, momentsOf, type ReserveForm } from './form.ts';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface ReserveFieldsProps {
  readonly form: ReserveForm;
  readonly faults: Faults;
  readonly onChange: (form: ReserveForm) => void;
}

/** The fields of a reservation. */
export function ReserveFields({ form, faults, onChange }: ReserveFieldsProps) {
  const [{ data }] = useAnswer({ query: SITE_NAMES });
  const field = (name: Exclude<keyof ReserveForm, 'isSecondStart'>) => ({
    id: `reserve-${name}`,
    value: form[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onChange({ ...form, [name]: target.value }),
    'aria-invalid': name in faults,
    'aria-describedby': name in faults ? `reserve-${name}-fault` : undefined,
  });
  return (
    <form className="fields" aria-label="Reservation" onSubmit={(event) => event.preventDefault()}>
      <Field name="name" label="Name" faults={faults}>
        <input {...field('name')} maxLength={200} autoComplete="off" />
      </Field>
      <Field name="processors" label="Processors" faults={faults}>
        <input {...field('processors')} inputMode="numeric" maxLength={9} autoComplete="off" />
      </Field>
      <Field name="walltime" label="Walltime" faults={faults}>
        <input {...field('walltime')} maxLength={20} autoComplete="off" />
      </Field>
      <Field name="startAt" label={`To be running at (${ZONE})`} faults={faults}>
        <input {...field('startAt')} type="datetime-local" />
      </Field>
      <WhichStart form={form} onChange={onChange} />
      <Field name="probability" label="With a probability of at least" faults={faults}>
        <input
          {...field('probability')}
          inputMode="decimal"
          maxLength={8}
          autoComplete="off"
          list="usual-probabilities"
        />
        <datalist id="usual-probabilities">
          {['0.5', '0.8', '0.9', '0.95'].map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      </Field>
      <Field name="siteId" label="At" faults={faults}>
        <select {...field('siteId')}>
          <option value="">the best site</option>
          {data?.sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field name="script" label="Script" faults={faults}>
        <textarea {...field('script')} rows={8} spellCheck={false} className="script" maxLength={1_000_000} />
      </Field>
    </form>
  );
}

/** Which moment is meant where clocks show it twice; nothing elsewhere. */
function WhichStart({ form, onChange }: Pick<ReserveFieldsProps, 'form' | 'onChange'>) {
  const moments = momentsOf(form.startAt);
  if (moments.length < 2) return null;
  return (
    <div className="field">
      <label htmlFor="reserve-which-start">Clocks show that twice</label>
      <select
        id="reserve-which-start"
        value={String(form.isSecondStart)}
        onChange={({ target }) => onChange({ ...form, isSecondStart: target.value === 'true' })}
      >
        {moments.map((at, index) => (
          <option key={at} value={String(index === 1)}>
            {formatZoned(at)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FieldProps {
  readonly name: keyof ReserveForm;
  readonly label: string;
  readonly faults: Faults;
  readonly children: ReactNode;
}

function Field({ name, label, faults, children }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={`reserve-${name}`}>{label}</label>
      {children}
      {faults[name] && (
        <span id={`reserve-${name}-fault`} className="fault">
          {faults[name]}
        </span>
      )}
    </div>
  );
}
