import {
  type ColumnDef,
  createSortedRowModel,
  type Row,
  type RowData,
  rowSortingFeature,
  type SortingState,
  sortFns,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { type Cell, toCsv } from './csv.ts';
import { download } from './download.ts';
import { formatCount } from './format.ts';

/** One column of a table. */
export interface Column<Item> {
  readonly id: string;
  readonly heading: ReactNode;
  /** By what rows are sorted, and what a file of them holds. */
  readonly value: (item: Item) => Cell;
  /** What is shown; the value itself unless told. */
  readonly show?: (item: Item) => ReactNode;
  /** In rem; what is left is shared by those that name none. */
  readonly width?: number;
  readonly isNumber?: boolean;
}

interface DataTableProps<Item extends RowData> {
  /** What the table is of, for those who hear it. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly idOf: (item: Item) => string;
  /** Name of the file that its rows are downloaded as; no download without it. */
  readonly file?: string;
  /** How many there are where not all are here. */
  readonly total?: number;
  readonly empty: ReactNode;
  /** Shown beside the count. */
  readonly children?: ReactNode;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns });
const ROW_REM = 2.3;
/** Beyond what is seen, on either side: the browser scrolls on while new rows are made. */
const OVERSCAN = 8;
const SCROLL_BAR_PIXELS = 16;
/** What a column has that names no width. */
const LEAST_REM = 12;

/** A table of any length whose rows are drawn when they are scrolled to. Headings sort. */
export function DataTable<Item extends RowData>(props: DataTableProps<Item>) {
  const { items, columns, idOf, label, file, total = items.length, empty, children } = props;
  const [sorting, setSorting] = useState<SortingState>([]);
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const table = useTable(
    {
      features,
      data: items as Item[],
      columns: definitions,
      getRowId: idOf,
      state: { sorting },
      onSortingChange: setSorting,
    },
    (state) => state,
  );
  const { rows } = table.getRowModel();
  const save = () =>
    download(
      `${file}.csv`,
      toCsv(
        columns.map(({ id }) => id),
        rows.map(({ original }) => columns.map(({ value }) => value(original))),
      ),
    );
  return (
    <section className="table-frame" aria-label={label}>
      <div className="table-bar">
        <span className="count">
          {items.length < total ? `${formatCount(items.length)} of ${formatCount(total)}` : formatCount(total)}{' '}
          {total === 1 ? label.toLowerCase().replace(/s$/, '') : label.toLowerCase()}
        </span>
        {children}
        {file && items.length > 0 && (
          <button type="button" className="button quiet" onClick={save}>
            CSV
          </button>
        )}
      </div>
      {items.length === 0 ? empty : <Rows {...{ rows, columns, label }} sorting={sorting} onSort={setSorting} />}
    </section>
  );
}

function definitionOf<Item extends RowData>({ id, value }: Column<Item>): ColumnDef<typeof features, Item> {
  return { id, accessorFn: value, sortFn: compareCells };
}

function compareCells<Item extends RowData>(
  a: Row<typeof features, Item>,
  b: Row<typeof features, Item>,
  id: string,
): number {
  const [left, right] = [a.getValue<Cell>(id), b.getValue<Cell>(id)];
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -1 : 1;
}

/** How tall a row is, in whole pixels; it grows with the text that the viewer's browser is set to. */
function useRowPixels(): number {
  return useMemo(() => {
    const { fontSize } = getComputedStyle(document.documentElement);
    return Math.round(ROW_REM * Number.parseFloat(fontSize));
  }, []);
}

interface RowsProps<Item extends RowData> {
  readonly rows: readonly Row<typeof features, Item>[];
  readonly columns: readonly Column<Item>[];
  readonly label: string;
  readonly sorting: SortingState;
  readonly onSort: (sorting: SortingState) => void;
}

function Rows<Item extends RowData>({ rows, columns, label, sorting, onSort }: RowsProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const rowPixels = useRowPixels();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPixels,
    overscan: OVERSCAN,
  });
  return (
    <section
      ref={frame}
      className="table-scroll"
      aria-label={`${label}, rows`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      // No taller than its rows and a scroll bar below them.
      style={{ maxHeight: (rows.length + 1) * rowPixels + SCROLL_BAR_PIXELS }}
    >
      <table aria-rowcount={rows.length + 1} className="data" style={layoutOf(columns, rowPixels)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} {...{ column, sorting, onSort }} />
            ))}
          </tr>
        </thead>
        <tbody style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row && <Line key={row.id} item={row.original} index={index} top={start} columns={columns} />;
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Where the columns are: every row is laid out by itself, so that scrolling moves none that is there. */
function layoutOf<Item>(columns: readonly Column<Item>[], rowPixels: number): CSSProperties {
  const tracks = columns.map(({ width }) => (width === undefined ? `minmax(${LEAST_REM}rem, 1fr)` : `${width}rem`));
  const least = columns.reduce((sum, { width = LEAST_REM }) => sum + width, 0);
  return { '--columns': tracks.join(' '), '--row': `${rowPixels}px`, minWidth: `${least}rem` } as CSSProperties;
}

function Heading<Item extends RowData>({
  column: { id, heading, isNumber },
  sorting,
  onSort,
}: { readonly column: Column<Item> } & Pick<RowsProps<Item>, 'sorting' | 'onSort'>) {
  const [first] = sorting;
  const order = first?.id !== id ? 'none' : first.desc ? 'descending' : 'ascending';
  const next: SortingState = order === 'descending' ? [] : [{ id, desc: order === 'ascending' }];
  return (
    <th scope="col" aria-sort={order} className={isNumber ? 'number' : ''}>
      {typeof heading === 'string' ? (
        <button type="button" className="sort" onClick={() => onSort(next)}>
          {heading}
        </button>
      ) : (
        heading
      )}
    </th>
  );
}

interface LineProps<Item> {
  readonly item: Item;
  readonly index: number;
  /** In pixels from the first row. */
  readonly top: number;
  readonly columns: readonly Column<Item>[];
}

/** A row is drawn again when its item is another one, not for every step of scrolling. */
const Line = memo(function Line<Item extends RowData>({ item, index, top, columns }: LineProps<Item>) {
  return (
    <tr aria-rowindex={index + 2} style={{ top }}>
      {columns.map(({ id, isNumber, show, value }) => (
        <td key={id} className={isNumber ? 'number' : ''}>
          {show ? show(item) : value(item)}
        </td>
      ))}
    </tr>
  );
}) as <Item extends RowData>(props: LineProps<Item>) => ReactNode;
