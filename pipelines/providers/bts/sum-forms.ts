import { ROUTE_HOURS_COLUMNS, type FormDescription } from '../provider.ts';

/** The forms whose rows are sums over flights. */
export const SUM_FORMS: readonly FormDescription[] = [
  {
    name: 'route_hours',
    kind: 'route_hours',
    required: ROUTE_HOURS_COLUMNS,
    optional: [
      'brand',
      'delayed45_count',
      'delayed90_count',
      'delayed180_count',
      'delayed360_count',
    ],
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
