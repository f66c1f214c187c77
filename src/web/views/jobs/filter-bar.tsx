import { useNavigate } from '@tanstack/react-router';
import { useAnswer } from '../../api/use-answer.ts';
import { formatWord } from '../../ui/format.ts';
import { JOB_STATES, type JobFilters, type JobState } from './filters.ts';
import { SITE_NAMES } from './jobs.graphql.ts';
import { LabelFilter } from './label-filter.tsx';

/** Chooses what the table shows, by the address. */
export function FilterBar({ filters }: { readonly filters: JobFilters }) {
  const navigate = useNavigate();
  // Read anew when somebody is about to choose: sites are observed all the time, and their names change hardly ever.
  const [{ data }, readNames] = useAnswer({ query: SITE_NAMES });
  const show = (search: JobFilters) => void navigate({ to: '/jobs', search, replace: true });
  const { states = [], siteId = '', label = '', text = '', reserved = false } = filters;
  const toggle = (state: JobState) =>
    show(
      without(
        filters,
        'states',
        JOB_STATES.filter((one) => (one === state) !== states.includes(one)),
      ),
    );
  return (
    <search className="filters">
      <fieldset className="choices">
        <legend className="hidden">States</legend>
        {JOB_STATES.map((state) => (
          <label key={state} className="choice">
            <input type="checkbox" checked={states.includes(state)} onChange={() => toggle(state)} />
            {formatWord(state)}
          </label>
        ))}
      </fieldset>
      <label>
        Site{' '}
        <select
          value={siteId}
          onFocus={() => readNames()}
          onChange={({ target }) => show(without(filters, 'siteId', target.value))}
        >
          <option value="">any</option>
          {data?.sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <LabelFilter label={label} onChoose={(chosen) => show(without(filters, 'label', chosen))} />
      <label>
        Name, label or key{' '}
        <input type="search" value={text} onChange={({ target }) => show(without(filters, 'text', target.value))} />
      </label>
      <label className="choice">
        <input type="checkbox" checked={reserved} onChange={() => show(without(filters, 'reserved', !reserved))} />
        bodies of reservations
      </label>
    </search>
  );
}

/** The filters with one of them set, or gone where it says nothing. */
function without(filters: JobFilters, name: keyof JobFilters, value: JobFilters[keyof JobFilters]): JobFilters {
  const { [name]: _gone, ...others } = filters;
  const isNothing = value === '' || value === false || (Array.isArray(value) && value.length === 0);
  return isNothing ? others : { ...others, [name]: value };
}
