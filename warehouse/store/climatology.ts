import type { Columns } from './arrow.ts';
import type { Climatology } from './types.ts';

/** Look-up of typical weather by airport and month (1 to 12); a figure that was never measured is absent. */
export function climatologyReader(
  columns: Columns,
): (iata: string, month: number) => Climatology | undefined {
  const months = columns.numbers('month_of_year');
  const byMonth = new Map(
    columns
      .text('airport')
      .map((airport, row): [string, Climatology] => [
        `${airport}${months[row]}`,
        typicalDay(columns, row),
      ]),
  );
  return (iata, month) => byMonth.get(`${iata}${month}`);
}

function typicalDay(columns: Columns, row: number): Climatology {
  const figures = {
    tempMeanC: columns.numbers('temp_mean_c')[row],
    windMaxKmh: columns.numbers('wind_max_kmh')[row],
    precipMaxMm: columns.numbers('precip_max_mm')[row],
    snowfallCm: columns.numbers('snowfall_cm')[row],
    visibilityMinM: columns.numbers('visibility_min_m')[row],
  };
  const known = Object.entries(figures).filter(([, figure]) => Number.isFinite(figure));
  return { ...Object.fromEntries(known), risk: columns.numbers('risk')[row] ?? 0 };
}
