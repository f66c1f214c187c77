import { useLive } from '../../api/use-live.ts';
import { PlainTable } from '../../ui/chart-frame.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { formatCount, formatSeconds, formatWord } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import { NoSuchPage } from '../../ui/no-such-page.tsx';
import { Failure, Loading } from '../../ui/notice.tsx';
import { JOB_STATES } from '../jobs/filters.ts';
import { SITE_CHANGED } from '../jobs/jobs.graphql.ts';
import { Faults } from './faults.tsx';
import { LedgerChart } from './ledger-chart.tsx';
import { OPERATIONS, type OperationsNow } from './operator.graphql.ts';
import { TokenTable } from './token-table.tsx';

/** Everything here is counted anew; sites are observed often, and each time is one to count again. */
const CALM_MILLISECONDS = 5000;

/** How the deployment runs, for admins. For everybody else there is no such page. */
export function OperatorView() {
  const { data, error, readAt, refresh } = useLive(
    OPERATIONS,
    {},
    { query: SITE_CHANGED, calmMilliseconds: CALM_MILLISECONDS },
  );
  if (error && !data) return <Failure error={error} onRetry={refresh} />;
  if (!data) return <Loading what="how the deployment runs" />;
  const { operations, sites } = data;
  if (!operations) return <NoSuchPage />;
  return (
    <>
      <div className="title-line">
        <h1>Operator</h1>
        <Age at={readAt} />
        <span className="muted">over all tenants</span>
      </div>
      {error && <Failure error={error} />}
      <Depths operations={operations} />
      <Queues operations={operations} />
      <Faults sites={sites} ends={operations.ends} />
      <LedgerChart />
      <TokenTable tokens={operations.tokens} />
    </>
  );
}

function Depths({ operations: { jobs, workerQueues, outbox } }: { readonly operations: OperationsNow }) {
  const of = new Map(jobs.map(({ state, count }) => [state, count]));
  const lag = Math.max(0, ...workerQueues.map(({ lagSeconds }) => lagSeconds));
  return (
    <Figures>
      {JOB_STATES.map((state) => (
        <Figure key={state} name={`Jobs ${formatWord(state)}`}>
          {formatCount(of.get(state) ?? 0)}
        </Figure>
      ))}
      <Figure name="Wake-ups late by">{lag < 1 ? 'less than 1 s' : formatSeconds(lag)}</Figure>
      <Figure name="In the outbox" note={outbox.count > 0 && `for ${formatSeconds(outbox.oldestSeconds)}`}>
        {formatCount(outbox.count)}
      </Figure>
    </Figures>
  );
}

function Queues({ operations: { workerQueues } }: { readonly operations: OperationsNow }) {
  return (
    <section className="part" aria-label="What waits for workers">
      <h2>What waits for workers</h2>
      <PlainTable
        label="Turns by kind"
        headings={['Of', 'Due', 'The first has waited', 'Under way']}
        numbers={[1, 2, 3]}
        rows={workerQueues.map(({ kind, due, lagSeconds, underWay }) => [
          ...[formatWord(kind), formatCount(due), due === 0 ? '' : formatSeconds(lagSeconds), formatCount(underWay)],
        ])}
      />
    </section>
  );
}
