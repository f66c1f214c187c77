import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type JobFilters, readJobFilters } from './filters.ts';

const KEY = 'gridcast.views';
const MOST = 20;

interface SavedView {
  readonly name: string;
  readonly filters: JobFilters;
}

/** Filters that this browser keeps under a name. */
export function SavedViews({ filters }: { readonly filters: JobFilters }) {
  const navigate = useNavigate();
  const [views, setViews] = useState(readViews);
  const [name, setName] = useState('');
  const keep = (next: readonly SavedView[]) => {
    setViews(next);
    localStorage.setItem(KEY, JSON.stringify(next));
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const own = name.trim();
    if (own === '') return;
    keep([{ name: own, filters }, ...views.filter((view) => view.name !== own)].slice(0, MOST));
    setName('');
  };
  return (
    <div className="filters">
      {views.map((view) => (
        <span key={view.name} className="saved">
          <button
            type="button"
            className="button quiet"
            onClick={() => void navigate({ to: '/jobs', search: view.filters })}
          >
            <bdi>{view.name}</bdi>
          </button>
          <button
            type="button"
            className="button quiet"
            aria-label={`Forget the view ${view.name}`}
            onClick={() => keep(views.filter((other) => other !== view))}
          >
            ×
          </button>
        </span>
      ))}
      <form onSubmit={save} className="choice">
        <label>
          Keep this view as <input value={name} maxLength={40} onChange={({ target }) => setName(target.value)} />
        </label>
        <button type="submit" className="button">
          Keep
        </button>
      </form>
    </div>
  );
}

/** What was kept, as far as it can be read. */
function readViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((view) =>
      typeof view?.name === 'string' ? [{ name: view.name, filters: readJobFilters(view.filters ?? {}) }] : [],
    );
  } catch {
    return [];
  }
}
