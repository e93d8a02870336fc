import type { Columns } from './arrow.ts';
import type { Climatology } from './types.ts';

/** Columns of figures, which may be missing. */
const FIGURES = {
  tempMeanC: 'temp_mean_c',
  windMaxKmh: 'wind_max_kmh',
  precipMaxMm: 'precip_max_mm',
  snowfallCm: 'snowfall_cm',
  visibilityMinM: 'visibility_min_m',
} as const;

/**
 * Returns a function that looks up typical weather by airport and month (1 to 12). A figure that was never measured is
 * absent.
 */
export function climatologyReader(
  columns: Columns,
): (iata: string, month: number) => Climatology | undefined {
  const months = columns.numbers('month_of_year');
  const risks = columns.numbers('risk');
  const figures = Object.entries(FIGURES).map(
    ([name, column]) => [name, columns.numbers(column)] as const,
  );
  const byAirport = new Map<string, Climatology[]>();
  for (const [row, airport] of columns.text('airport').entries()) {
    const measured = figures.flatMap(([name, values]) =>
      Number.isFinite(values[row]) ? [[name, values[row]] as const] : [],
    );
    const typical = { ...Object.fromEntries(measured), risk: risks[row] ?? 0 };
    const byMonth = byAirport.get(airport) ?? [];
    byMonth[months[row] as number] = typical;
    byAirport.set(airport, byMonth);
  }
  return (iata, month) => byAirport.get(iata)?.[month];
}
