import { renderTable } from '../../../src/cli/render/table.ts';
import type { ExperimentRow } from '../../../src/experiment/experiment.ts';
import type { ResourceSite } from '../../../src/experiment/resources/resource-site.ts';
import {
  forecastResources,
  RESOURCE_TABLES,
  resourcesExperiment,
} from '../../../src/experiment/resources/resources.ts';

/** Forecasts of the second half of the jobs, with what is known of resources and without; a row for each partition. */
export function scoreWaits(site: ResourceSite): ExperimentRow[] {
  return ['with', 'without'].flatMap((variant) => forecastResources(variant, site, resourcesExperiment.parameters));
}

/** What it was forecast on, and the tables. */
export function describeWaits({ records, queues, parts }: ResourceSite, rows: readonly ExperimentRow[]): string {
  const [first, last] = [records[0], records.at(-1)];
  const days = first && last ? (last.submitAt - first.submitAt) / 86_400 : 0;
  const jobs = queues.map((queue) => `${records.filter((job) => job.queue === queue).length} of ${queue}`);
  const told = parts.map((part) => `${part.queues?.join(', ')}: ${part.processors} processors, ${part.gpus} GPUs`);
  const tables = RESOURCE_TABLES.map(({ title, metrics }) => {
    const cells = rows.map((row) => [row.name, ...metrics.map((metric) => row[metric])]);
    return renderTable([title, ...metrics], cells);
  });
  return [`${records.length} jobs (${jobs.join(', ')}) of ${days.toFixed(1)} days`, ...told, ...tables].join('\n\n');
}
