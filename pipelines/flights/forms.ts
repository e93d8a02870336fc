import type { DelayBasis } from '../../warehouse/lake/lake.ts';

/**
 * A kind of file that ingest reads. A new one is an entry here and `warehouse/sql/sources/<name>.sql`,
 * which finds every column named here, missing ones as null.
 */
export type FlightForm = {
  name: string;
  /** Single flights, counts of flights per route and hour, or BTS's monthly table by airline and airport of arrival. */
  kind: 'flights' | 'route_hours' | 'delay_causes';
  /** Lower-case column names; `a|b` is satisfied by either. */
  required: readonly string[];
  /** Columns used when the file has them. */
  optional: readonly string[];
  /** Which delay the form knows; rows of the aggregate form carry their own. */
  delayBasis: DelayBasis;
  /** What rows tell of their day; where the year is not told, the request or the file name must. */
  calendar: 'date' | 'year_month' | 'month';
};

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
  {
    name: 'delay_causes',
    kind: 'delay_causes',
    required: [
      'year',
      'month',
      'carrier',
      'airport',
      'arr_flights',
      'arr_del15',
      'arr_cancelled',
      'arr_diverted',
    ],
    optional: [
      'carrier_ct',
      'weather_ct',
      'nas_ct',
      'security_ct',
      'late_aircraft_ct',
      'arr_delay',
      'carrier_delay',
      'weather_delay',
      'nas_delay',
      'security_delay',
      'late_aircraft_delay',
    ],
    delayBasis: 'arrival',
    calendar: 'year_month',
  },
];

/** Whether a report, or what it speaks of, is of the delay-cause table, whose months the lake keeps beside flights. */
export function isDelayCauses({ form }: { form: string }): boolean {
  return form === 'delay_causes';
}
