import { PlainTable } from '../../ui/chart-frame.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { formatCount, formatProcessorHours, formatSeconds, formatShare, formatWord } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import type { CandidateRow, JobDetail } from './job.graphql.ts';

type Plan = NonNullable<JobDetail['plan']>;

/** Every way to run it that was weighed, and why the others lost. */
export function PlanTable({ plan: { candidates, madeAt, objective } }: { readonly plan: Plan }) {
  return (
    <section className="part" aria-label="Why there">
      <div className="chart-bar">
        <h2>Why there</h2>
        <span className="age">
          {objective && `by ${formatWord(objective)}, `}
          <Age at={madeAt} of="planned" />
        </span>
        <span className="spread" />
        <CsvButton title="Why there" headings={HEADINGS} rows={candidates.map(cellsOf)} />
      </div>
      <CandidateTable candidates={candidates} />
    </section>
  );
}

const HEADINGS = [
  ...['site', 'queue', 'processors', 'walltime, seconds', 'wait, seconds', 'response, seconds', 'risk'],
  ...['charge, processor-seconds', 'lost because', 'explanation'],
];

function cellsOf(candidate: CandidateRow) {
  const { site, queue, processors, walltimeSeconds, forecast, responseSeconds, risk, charge } = candidate;
  return [
    ...[site.name, queue, processors, walltimeSeconds, forecast?.pointSeconds ?? null, responseSeconds, risk],
    ...[charge ? chargeOf(charge) : null, candidate.lostBecause, candidate.explanation],
  ];
}

/** Ways to run a job beside each other. */
export function CandidateTable({ candidates }: { readonly candidates: readonly CandidateRow[] }) {
  const chosenFirst = [...candidates].sort(
    (left, right) => Number(left.lostBecause !== null) - Number(right.lostBecause !== null),
  );
  return (
    <PlainTable
      label="Candidates"
      headings={['Site', 'Queue', 'Procs', 'Walltime', 'Wait', 'Response', 'Risk', 'Charge', 'Verdict']}
      numbers={[2, 3, 4, 5, 6, 7]}
      rows={chosenFirst.map((candidate) => [
        <bdi key="site">{candidate.site.name}</bdi>,
        <bdi key="queue">{candidate.queue}</bdi>,
        candidate.processors === null ? '' : formatCount(candidate.processors),
        candidate.walltimeSeconds === null ? '' : formatSeconds(candidate.walltimeSeconds),
        secondsOrNothing(candidate.forecast?.pointSeconds),
        secondsOrNothing(candidate.responseSeconds),
        candidate.risk === null ? '' : formatShare(candidate.risk, 1),
        candidate.charge ? formatProcessorHours(chargeOf(candidate.charge)) : '',
        <span key="why" title={candidate.explanation}>
          {candidate.lostBecause === null ? <strong>chosen</strong> : `lost: ${candidate.explanation}`}
        </span>,
      ])}
    />
  );
}

function secondsOrNothing(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? 'not known' : formatSeconds(seconds);
}

function chargeOf({
  neededProcessorSeconds,
  expectedPaddingProcessorSeconds,
}: NonNullable<CandidateRow['charge']>): number {
  return neededProcessorSeconds + expectedPaddingProcessorSeconds;
}
