import test, { type ExecutionContext } from 'ava';
import { FLIGHT_FORMS } from '../../../pipelines/providers/index.ts';
import type { MonthFiles } from '../../../warehouse/lake/lake.ts';
import { aFile, extractToLake, lakeRows } from '../../helpers/flight-files.ts';

/** One delayed flight, or its aggregate, in the columns of each form. */
const SAMPLES: Record<string, Record<string, string>> = {
  bts_marketing: {
    FlightDate: '2025-03-05',
    IATA_Code_Marketing_Airline: 'DL',
    Flight_Number_Marketing_Airline: '423',
    'Operating_Airline ': 'DL',
    IATA_Code_Operating_Airline: 'DL',
    Origin: 'JFK',
    Dest: 'LAX',
    CRSDepTime: '0815',
    DepDelay: '50.00',
    ArrDelay: '40.00',
    Cancelled: '0.00',
    Diverted: '0.00',
  },
  bts_reporting: {
    FlightDate: '2025-03-05',
    IATA_CODE_Reporting_Airline: 'DL',
    Origin: 'JFK',
    Dest: 'LAX',
    CRSDepTime: '0815',
    DepDelay: '50.00',
    ArrDelay: '40.00',
    Cancelled: '0.00',
    Diverted: '0.00',
  },
  bts_short: {
    FL_DATE: '2025-03-05',
    OP_UNIQUE_CARRIER: 'DL',
    ORIGIN: 'JFK',
    DEST: 'LAX',
    CRS_DEP_TIME: '0815',
    ARR_DELAY: '40.00',
    CANCELLED: '0.00',
  },
  bts_short_departures: {
    fl_date: '2025-03-05',
    op_carrier: 'DL',
    origin: 'JFK',
    dest: 'LAX',
    crs_dep_time: '815',
    dep_delay: '40',
    cancelled: '0',
  },
  kaggle_2015: {
    YEAR: '2025',
    MONTH: '3',
    DAY: '5',
    AIRLINE: 'DL',
    ORIGIN_AIRPORT: 'JFK',
    DESTINATION_AIRPORT: 'LAX',
    SCHEDULED_DEPARTURE: '0815',
    ARRIVAL_DELAY: '40',
    CANCELLED: '0',
  },
  nycflights: {
    year: '2025',
    month: '3',
    day: '5',
    dep_time: '905',
    sched_dep_time: '815',
    arr_delay: '40',
    carrier: 'DL',
    origin: 'JFK',
    dest: 'LAX',
  },
  named_departures: {
    FlightDate: '2025-03-05',
    Airline: 'Delta Air Lines Inc.',
    Origin: 'JFK',
    Dest: 'LAX',
    DepDelay: '40',
  },
  bts_weekdays: {
    YEAR: '2025',
    MONTH: '3',
    DAY_OF_WEEK: '3',
    OP_UNIQUE_CARRIER: 'DL',
    ORIGIN: 'JFK',
    DEST: 'LAX',
    CRS_DEP_TIME: '800',
    ARR_DELAY_NEW: '40',
    CANCELLED: '0',
  },
  by_month_carriers: {
    OP_CARRIER: 'DL',
    FL_MONTH: '3',
    ORIGIN: 'JFK',
    DEST: 'LAX',
    CRS_DEP_TIME: '815',
    ARR_DELAY: '40',
    CANCELLED: '0',
  },
  by_month_airports: {
    Origin: 'JFK',
    Destination: 'LAX',
    Airline: 'Delta Air Lines Inc.',
    Year: '2025',
    Month: '3',
    'Scheduled Departure Time': '815',
    'Departure Delay Time (mins)': '50',
    'Arrival Delay Time (mins)': '40',
    'Flight Cancellation': '0',
  },
  route_hours: {
    month: '2025-03-01',
    carrier: 'DL',
    origin: 'JFK',
    dest: 'LAX',
    crs_dep_hour: '8',
    delay_basis: 'arrival',
    flight_count: '1',
    cancelled_count: '0',
    diverted_count: '0',
    completed_count: '1',
    delayed15_count: '1',
    delayed_count: '1',
    delayed60_count: '0',
    delayed120_count: '0',
    delayed_min_sum: '40',
  },
};

const DATE_COLUMNS = new Map([
  ['bts_marketing', 'FlightDate'],
  ['bts_reporting', 'FlightDate'],
  ['bts_short', 'FL_DATE'],
  ['bts_short_departures', 'fl_date'],
  ['route_hours', 'month'],
]);

const ROUTE_HOUR = {
  carrier: 'DL',
  origin: 'JFK',
  dest: 'LAX',
  crs_dep_hour: 8,
  flight_count: 1,
  delayed_count: 1,
};

/** Columns that are null for a form, because the form has no times. */
const UNKNOWN: Record<string, Partial<Record<keyof typeof ROUTE_HOUR, null>>> = {
  named_departures: { crs_dep_hour: null },
};

/** Reads the CSV, checks its form, and returns the rows of March 2025 in the lake. */
async function readMarch(t: ExecutionContext, form: string, csv: string, kind: keyof MonthFiles) {
  const { lakeDir, report } = await extractToLake(t, await aFile(t, csv), { year: 2025 });
  t.is(report.source.form, form);
  t.deepEqual(report.rowsRejected, 0);
  return lakeRows(lakeDir, '2025-03', kind, Object.keys(ROUTE_HOUR).join(', '));
}

test('every form of flights has a sample', (t) => {
  const forms = FLIGHT_FORMS.filter(
    ({ kind, provider }) => provider === 'bts' && kind !== 'delay_causes',
  );
  t.deepEqual(Object.keys(SAMPLES).toSorted(), forms.map(({ name }) => name).toSorted());
});

for (const [form, row] of Object.entries(SAMPLES)) {
  const names = Object.keys(row);
  const values = Object.values(row);
  const expectedRow = { ...ROUTE_HOUR, ...UNKNOWN[form] };

  test(`${form}: a plain CSV is read`, async (t) => {
    const csv = `${names.join(',')}\n${values.join(',')}\n`;

    t.deepEqual(await readMarch(t, form, csv, 'routeHours'), [expectedRow]);
  });

  test(`${form}: a byte order mark, CR LF, quotes, commas in quotes and a final blank line are accepted`, async (t) => {
    const quoted = (cells: string[]) => cells.map((cell) => `"${cell}"`).join(',');
    const csv = `\uFEFF${quoted(names)},"City, State",\r\n${quoted(values)},"New York, ""NY""",\r\n\r\n`;

    t.deepEqual(await readMarch(t, form, csv, 'routeHours'), [expectedRow]);
  });
}

for (const [form, column] of DATE_COLUMNS) {
  test(`${form}: dates in the format of BTS's pages are accepted`, async (t) => {
    const month = form === 'route_hours' ? ['3/1/2025', '03/01/2025'] : ['3/5/2025', '03/05/2025'];
    for (const date of [...month, ...month.map((day) => `${day} 12:00:00 AM`)]) {
      const row: Record<string, string> = { ...SAMPLES[form], [column]: date };
      const csv = `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`;

      t.deepEqual(await readMarch(t, form, csv, 'routeHours'), [ROUTE_HOUR]);
    }
  });
}
