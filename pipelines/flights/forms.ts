import type { DelayBasis } from '../../warehouse/lake.ts';

/**
 * A kind of flight file we can read. A new one is an entry here and `warehouse/sql/sources/<name>.sql`,
 * which finds every column named here, missing ones as null.
 */
export type FlightForm = {
  name: string;
  /** Single flights, or counts of flights per route and hour. */
  kind: 'flights' | 'route_hours';
  /** Lower-case column names; `a|b` is satisfied by either. */
  required: readonly string[];
  /** Columns used when the file has them. */
  optional: readonly string[];
  /** Which delay the form knows; rows of the aggregate form carry their own. */
  delayBasis: DelayBasis;
  /** What rows tell of their day; where the year is not told, the request or the file name must. */
  calendar: 'date' | 'year_month' | 'month';
};

export type Detection =
  | { form: FlightForm; nearest?: undefined; missing?: undefined }
  | { form?: undefined; nearest: FlightForm; missing: string[] };

const BTS_OPTIONAL = [
  'year',
  'month',
  'op_carrier_fl_num',
  'tail_num',
  'dep_time',
  'crs_arr_time',
  'arr_time',
  'cancellation_code',
  'diverted',
  'distance',
];

/** The known forms, in order of preference: the first whose required columns are all there is taken. */
export const FLIGHT_FORMS: readonly FlightForm[] = [
  {
    name: 'bts_reporting',
    kind: 'flights',
    required: [
      'flightdate',
      'iata_code_reporting_airline|carrier',
      'origin',
      'dest',
      'crsdeptime',
      'depdelay',
      'arrdelay',
      'cancelled',
      'diverted',
    ],
    optional: [
      'year',
      'month',
      'tail_number',
      'tailnum',
      'flight_number_reporting_airline',
      'flightnum',
      'deptime',
      'crsarrtime',
      'arrtime',
      'cancellationcode',
      'distance',
    ],
    delayBasis: 'arrival',
    calendar: 'date',
  },
  {
    name: 'bts_short',
    kind: 'flights',
    required: [
      'fl_date',
      'op_unique_carrier|op_carrier',
      'origin',
      'dest',
      'crs_dep_time',
      'arr_delay|arr_delay_new',
      'cancelled',
    ],
    optional: [...BTS_OPTIONAL, 'dep_delay', 'dep_delay_new'],
    delayBasis: 'arrival',
    calendar: 'date',
  },
  {
    name: 'bts_short_departures',
    kind: 'flights',
    required: [
      'fl_date',
      'op_unique_carrier|op_carrier',
      'origin',
      'dest',
      'crs_dep_time',
      'dep_delay|dep_delay_new',
      'cancelled',
    ],
    optional: BTS_OPTIONAL,
    delayBasis: 'departure',
    calendar: 'date',
  },
  {
    name: 'kaggle_2015',
    kind: 'flights',
    required: [
      'year',
      'month',
      'day',
      'airline',
      'origin_airport',
      'destination_airport',
      'scheduled_departure',
      'arrival_delay',
      'cancelled',
    ],
    optional: [
      'flight_number',
      'tail_number',
      'departure_time',
      'departure_delay',
      'scheduled_arrival',
      'arrival_time',
      'diverted',
      'cancellation_reason',
      'distance',
    ],
    delayBasis: 'arrival',
    calendar: 'date',
  },
  {
    name: 'nycflights',
    kind: 'flights',
    required: [
      'year',
      'month',
      'day',
      'dep_time',
      'sched_dep_time',
      'arr_delay',
      'carrier',
      'origin',
      'dest',
    ],
    optional: ['dep_delay', 'arr_time', 'sched_arr_time', 'flight', 'tailnum', 'distance'],
    delayBasis: 'arrival',
    calendar: 'date',
  },
  {
    name: 'by_month_carriers',
    kind: 'flights',
    required: [
      'op_carrier',
      'fl_month',
      'origin',
      'dest',
      'crs_dep_time',
      'arr_delay',
      'cancelled',
    ],
    optional: [],
    delayBasis: 'arrival',
    calendar: 'month',
  },
  {
    name: 'by_month_airports',
    kind: 'flights',
    required: [
      'origin',
      'destination',
      'airline',
      'year',
      'month',
      'scheduled departure time',
      'departure delay time (mins)',
      'arrival delay time (mins)',
      'flight cancellation',
    ],
    optional: ['scheduled arrival time', 'cancellation reason'],
    delayBasis: 'arrival',
    calendar: 'year_month',
  },
  {
    name: 'route_hours',
    kind: 'route_hours',
    required: [
      'month',
      'carrier',
      'origin',
      'dest',
      'crs_dep_hour',
      'delay_basis',
      'flight_count',
      'cancelled_count',
      'diverted_count',
      'completed_count',
      'delayed15_count',
      'delayed_count',
      'delayed60_count',
      'delayed120_count',
      'delayed_min_sum',
    ],
    optional: [],
    delayBasis: 'arrival',
    calendar: 'year_month',
  },
];

/** The form of a header (its columns in any case), or the form it comes nearest to and what that lacks. */
export function detectForm(header: readonly string[]): Detection {
  const columns = new Set(header.map((name) => name.toLowerCase()));
  const candidates = FLIGHT_FORMS.map((form) => ({
    form,
    missing: form.required.filter((name) => !alternatives(name).some((one) => columns.has(one))),
  }));
  const found = candidates.find(({ missing }) => missing.length === 0);
  if (found) {
    return { form: found.form };
  }
  // Shares, not counts: a form of few columns would otherwise be the nearest to anything.
  const share = ({ form, missing }: (typeof candidates)[number]) =>
    missing.length / form.required.length;
  const nearest = candidates.reduce((best, next) => (share(next) < share(best) ? next : best));
  return { nearest: nearest.form, missing: nearest.missing };
}

/** The one plausible year in a file name, or undefined when there is none or more than one. */
export function yearInName(name: string): number | undefined {
  const years = new Set(name.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g));
  const [year] = years;
  return years.size === 1 && year !== undefined && isPlausibleYear(Number(year))
    ? Number(year)
    : undefined;
}

/** BTS keeps on-time records from October 1987. */
export function isPlausibleYear(year: number): boolean {
  return Number.isInteger(year) && year >= 1987 && year <= 2100;
}

function alternatives(name: string): string[] {
  return name.split('|');
}
