import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { isPlain } from '../../ui/row-link.tsx';

/** A label of a row: followed here it narrows what is shown, elsewhere it shows all jobs that bear it. */
export function LabelLink({ label }: { readonly label: string }) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    void router.navigate({ from: '/jobs', to: '/jobs', search: (before) => ({ ...before, label }) });
  };
  return (
    <a
      href={`/jobs${router.options.stringifySearch({ label })}`}
      onClick={follow}
      className="label"
      title={`Only those with ${label}`}
    >
      <bdi>{label}</bdi>
    </a>
  );
}
