import { type ReactNode, useEffect, useRef, useState } from 'react';

interface ChartBodyProps {
  /** What the chart is of, for those who reach it by the keyboard. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A chart that keeps a size at which it can be read; where there is less room it is scrolled, by the keyboard too. */
export function ChartBody({ label, children }: ChartBodyProps) {
  const frame = useRef<HTMLElement>(null);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const resizing = new ResizeObserver(() => setCut(element.scrollWidth > element.clientWidth));
    resizing.observe(element);
    return () => resizing.disconnect();
  }, []);
  return (
    <section ref={frame} className="chart-body" {...(isCut && { 'aria-label': `${label}, drawn`, tabIndex: 0 })}>
      {children}
    </section>
  );
}
