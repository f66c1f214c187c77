import { formatBytes } from '../../domain/bytes.ts';
import { formatSeconds } from '../../domain/duration.ts';
import type { BytesAnswer, ForecastAnswer, SpreadAnswer } from '../client/forecast-answers.ts';
import colors from './colors.ts';
import { duration, percent, warningOf } from './objects.ts';
import { NO_SITE } from './sites.ts';
import { renderTable } from './table.ts';

/** What sites answer side by side, one line per site; below that why others could never run the job. */
export function renderForecasts(
  rows: readonly { site: string; forecast: ForecastAnswer | null; explanation?: string | null }[],
  withinSeconds: number,
): string {
  if (rows.length === 0) return NO_SITE;
  const forecasts = rows.flatMap(({ site, forecast }) => (forecast ? [{ site, forecast }] : []));
  const reasons = rows.flatMap(({ forecast, explanation }) => (forecast ? [] : (explanation ?? [])));
  const table = forecasts.length > 0 ? [renderForecastTable(forecasts, withinSeconds)] : [];
  return [...table, ...reasons].join('\n');
}

function renderForecastTable(
  rows: readonly { readonly site: string; readonly forecast: ForecastAnswer }[],
  withinSeconds: number,
): string {
  const table = renderTable(
    [
      'site',
      'its',
      'expected',
      'about',
      'median',
      '95 % bound',
      `within ${formatSeconds(withinSeconds)}`,
      'rests on',
      'predictor',
    ],
    rows.flatMap(({ site, forecast }) => {
      const wait = spreadCells('wait', forecast, aboutWait(forecast));
      const runtime = forecast.runtime ? [runtimeRow(forecast.runtime)] : [];
      const bytes = [...bytesRow('read', forecast.readBytes), ...bytesRow('written', forecast.writtenBytes)];
      return [[forecast.stale ? `${site} (stale)` : site, ...wait], ...runtime, ...bytes];
    }),
  );
  return [table, ...rows.flatMap(({ site, forecast }) => remarksOn(site, forecast))].join('\n');
}

/** What a person would be told: that it starts at once where that is more likely than not, else about how long. */
function aboutWait({ atOnceProbability, aboutSeconds }: ForecastAnswer): string {
  return atOnceProbability > 0.5 ? `at once, ${percent(atOnceProbability)}` : duration(aboutSeconds);
}

function runtimeRow(runtime: SpreadAnswer): string[] {
  return ['', ...spreadCells('runtime', runtime, duration(runtime.relativePointSeconds))];
}

/** What is forecast of one quantity, the same for all of them. */
function spreadCells(quantity: string, forecast: SpreadAnswer, about: string): string[] {
  return [
    quantity,
    duration(forecast.pointSeconds),
    about,
    duration(forecast.medianSeconds),
    duration(forecast.boundSeconds),
    chance(forecast),
    `${forecast.sampleSize} ${quantity}s`,
    forecast.predictor,
  ];
}

/** A row of what is forecast in bytes; none where nothing is known of it. */
function bytesRow(what: string, forecast: BytesAnswer | null | undefined): string[][] {
  if (!forecast) return [];
  const { pointBytes, relativePointBytes, medianBytes, boundBytes, sampleSize, predictor } = forecast;
  const said = [pointBytes, relativePointBytes, medianBytes, boundBytes];
  const bytes = said.map((one) => (one === null ? 'unknown' : formatBytes(one)));
  return [['', what, ...bytes, '-', `${sampleSize} jobs`, predictor]];
}

/** A line for each thing to know beside a forecast. */
function remarksOn(site: string, { putOff, outsideKnownRange }: ForecastAnswer): string[] {
  const held = putOff ? [colors.yellow(`${site}: ${putOff.explanation}`)] : [];
  return [...held, ...warningOf(site, outsideKnownRange)];
}

/** The probability to be within a time; where nothing is known of a site, 0 would be a claim. */
function chance({ probabilityWithin, medianSeconds, boundSeconds }: SpreadAnswer): string {
  if (probabilityWithin === undefined) return '-';
  const isKnown = probabilityWithin > 0 || medianSeconds !== null || boundSeconds !== null;
  return isKnown ? percent(probabilityWithin) : 'unknown';
}
