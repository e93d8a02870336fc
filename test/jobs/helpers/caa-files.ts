const HEADER = [
  'run_date,reporting_period,reporting_airport,origin_destination_country,origin_destination,airline_name',
  'arrival_departure,scheduled_charter,number_flights_matched,actual_flights_unmatched,number_flights_cancelled',
  'flights_between_16_and_30_minutes_late_percent,flights_between_31_and_60_minutes_late_percent',
  'flights_between_61_and_120_minutes_late_percent,flights_between_121_and_180_minutes_late_percent',
  'flights_between_181_and_360_minutes_late_percent,flights_more_than_360_minutes_late_percent',
].join(',');

/** A file of CAA with flights from Heathrow to Paris in one period: `2019` or `201903`. */
export function aCaaFile(period: string, flights = 100): string {
  return `\uFEFF${HEADER}\r\nx,${period},HEATHROW,FRANCE,PARIS (CHARLES DE GAULLE),AIR FRANCE,D,S,${flights},0,0,10,10,0,0,0,0\r\n`;
}
