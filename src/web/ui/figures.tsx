import type { ReactNode } from 'react';

/** Figures with their names, in a line that wraps. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

/** One of them. */
export function Figure({ name, children, note }: { name: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        {children}
        {note !== undefined && <span className="age"> {note}</span>}
      </dd>
    </div>
  );
}
