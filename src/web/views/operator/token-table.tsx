import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatWord } from '../../ui/format.ts';
import { Moment, Since } from '../../ui/moment.tsx';
import { Empty } from '../../ui/notice.tsx';
import type { OperationsNow } from './operator.graphql.ts';

type TokenRow = OperationsNow['tokens'][number];

/** The newest tokens of every tenant, and whether each still opens a door. */
export function TokenTable({ tokens }: Pick<OperationsNow, 'tokens'>) {
  return (
    <div className="tall">
      <h2>Tenants and tokens</h2>
      <DataTable
        label="Tokens"
        items={tokens}
        columns={COLUMNS}
        idOf={({ id }) => id}
        file="tokens"
        empty={<Empty title="There are no tokens" />}
      />
    </div>
  );
}

const COLUMNS: readonly Column<TokenRow>[] = [
  { id: 'tenant', heading: 'Tenant', value: ({ tenant }) => tenant, show: ({ tenant }) => <bdi>{tenant}</bdi> },
  {
    id: 'principal',
    heading: 'Of',
    value: ({ principal }) => principal,
    show: ({ principal }) => <bdi>{principal}</bdi>,
  },
  { id: 'role', heading: 'Role', width: 8, value: ({ role }) => formatWord(role) },
  { id: 'isGood', heading: 'Is', width: 8, value: stateOf },
  moment('createdAt', 'Made', ({ createdAt }) => createdAt),
  {
    id: 'lastUsedAt',
    heading: 'Last used',
    width: 10,
    value: ({ lastUsedAt }) => lastUsedAt,
    show: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Since at={lastUsedAt} isPast />),
  },
  moment('expiresAt', 'Expires', ({ expiresAt }) => expiresAt),
  { id: 'id', heading: 'Id', width: 20, value: ({ id }) => id, show: ({ id }) => <code>{id}</code> },
];

function stateOf({ isGood, revokedAt }: TokenRow): string {
  if (isGood) return 'good';
  return revokedAt === null ? 'expired' : 'revoked';
}

function moment(id: string, heading: string, of: (row: TokenRow) => string | null): Column<TokenRow> {
  const show = (row: TokenRow) => (of(row) === null ? 'never' : <Moment at={of(row)} />);
  return { id, heading, width: 9, value: of, show };
}
