import type { ExperimentResult, ExperimentRow } from '../experiment.ts';
import { escaped } from './escaped.ts';
import { linePlot } from './line-plot.ts';
import { metricsOf, provenance, type ReportTable, tablesOf } from './report.ts';

const BAR_HEIGHT = 22;
const LABEL_WIDTH = 200;
const BAR_WIDTH = 420;
const VALUE_WIDTH = 120;

/**
 * A result as one page that needs nothing else: what it was computed from, the table, its figures, and a bar chart for
 * every metric.
 */
export function toHtml(result: ExperimentResult): string {
  const metrics = metricsOf(result.rows);
  const facts = provenance(result).map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  const notes = result.notes.map((note) => `<p>${escaped(note)}</p>`);
  const charts = [...result.figures.map(linePlot), ...metrics.map((metric) => chart(metric, result.rows))];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(`${result.experiment} on ${result.trace}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(result.experiment)} <small>${escaped(result.trace)}</small></h1>
<dl>${facts.join('')}</dl>
${notes.join('\n')}
${tablesOf(result).map(table).join('\n')}
${charts.join('\n')}
</body>
</html>
`;
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2430; }
h1 small { font-weight: normal; color: #667; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; color: #445; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 1.5rem 0; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #dde; text-align: right; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
.paper { color: #85530b; }
svg { display: block; margin: .25rem 0 1.5rem; max-width: 100%; }
svg text { font-size: 13px; fill: currentColor; }
svg rect { fill: #3a6ea5; }
svg polyline { fill: none; stroke-width: 1.5; }
svg .axis { stroke: #99a; }
svg .paper rect { fill: #d8973c; }`;

function table({ title, metrics, rows }: ReportTable): string {
  const head = ['name', ...metrics].map((name) => `<th>${escaped(name)}</th>`).join('');
  const body = rows.map((row) => `<tr>${tableCells(row, metrics)}</tr>`);
  return `${title === null ? '' : `<h2>${escaped(title)}</h2>`}
<table><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table>`;
}

function tableCells(row: ExperimentRow, metrics: readonly string[]): string {
  const cells = metrics.map((metric) => `<td>${escaped(shortly(row[metric]))}</td>`);
  return `<td${markOf(row)}>${escaped(row.name)}</td>${cells.join('')}`;
}

/** Horizontal bars, one for each row that has the metric as a finite number; empty text when none has. */
function chart(metric: string, rows: readonly ExperimentRow[]): string {
  const drawn = rows.flatMap((row) => {
    const value = row[metric];
    return typeof value === 'number' && Number.isFinite(value) ? [{ row, value }] : [];
  });
  if (drawn.length === 0) return '';
  const largest = Math.max(...drawn.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const bars = drawn.map(({ row, value }, index) => {
    const top = index * BAR_HEIGHT;
    const width = (Math.abs(value) / largest) * BAR_WIDTH;
    return `<g${markOf(row)}><text x="${LABEL_WIDTH - 8}" y="${top + 15}" text-anchor="end">${escaped(row.name)}</text>
<rect x="${LABEL_WIDTH}" y="${top + 3}" width="${width.toFixed(1)}" height="${BAR_HEIGHT - 6}"></rect>
<text x="${LABEL_WIDTH + width + 6}" y="${top + 15}">${escaped(shortly(value))}</text></g>`;
  });
  const width = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH;
  const height = drawn.length * BAR_HEIGHT;
  return `<h2>${escaped(metric)}</h2>
<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(metric)}">
${bars.join('\n')}
</svg>`;
}

function markOf(row: ExperimentRow): string {
  return row.name.startsWith('paper/') ? ' class="paper"' : '';
}

/** Four significant digits; large numbers with their thousands set apart. */
function shortly(value: number | string | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(4)));
}
