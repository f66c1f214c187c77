import type { EndedRecord, StartedRecord, SubmittedJob } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { SiteListener } from '../predictor.ts';

/** One thing that happens at a site. */
export type SiteEvent =
  | { readonly kind: 'submit'; readonly submission: SubmittedJob; readonly laterSubmissions?: number }
  | { readonly kind: 'start'; readonly record: StartedRecord }
  | { readonly kind: 'end'; readonly record: EndedRecord }
  | { readonly kind: 'snapshot'; readonly state: Snapshot };

/** Tells a listener one thing that happened; what it does not listen to is passed over. */
export function tell(listener: SiteListener, event: SiteEvent): void {
  if (event.kind === 'snapshot') listener.observed?.(event.state);
  else if (event.kind === 'submit') listener.submitted?.(event.submission, event.laterSubmissions);
  else if (event.kind === 'start') listener.started?.(event.record);
  else listener.ended?.(event.record);
}
