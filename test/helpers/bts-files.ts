import { BTS_COLUMNS } from '../../bench/generate/line.ts';

/** A flight in the format of BTS with 109 columns: DL 423 from JFK to LAX on 5 March 2025, two minutes early. */
export function aReportedFlight(changes: Record<string, string> = {}): Record<string, string> {
  return {
    Year: '2025',
    Quarter: '1',
    Month: '3',
    DayofMonth: '5',
    DayOfWeek: '3',
    FlightDate: '2025-03-05',
    Reporting_Airline: '"DL"',
    DOT_ID_Reporting_Airline: '19790',
    IATA_CODE_Reporting_Airline: '"DL"',
    Tail_Number: '"N101DL"',
    Flight_Number_Reporting_Airline: '"423"',
    Origin: '"JFK"',
    OriginCityName: '"New York, NY"',
    Dest: '"LAX"',
    DestCityName: '"Los Angeles, CA"',
    CRSDepTime: '"0815"',
    DepTime: '"0820"',
    DepDelay: '5.00',
    CRSArrTime: '"1145"',
    ArrTime: '"1143"',
    ArrDelay: '-2.00',
    Cancelled: '0.00',
    CancellationCode: '""',
    Diverted: '0.00',
    Distance: '2475.00',
    ...changes,
  };
}

/** Formats the rows like BTS: 109 quoted names, a comma at the end of each line. */
export function btsCsv(
  rows: Record<string, string>[],
  { columns = BTS_COLUMNS, lineEnd = '\n' }: { columns?: readonly string[]; lineEnd?: string } = {},
): string {
  const lines = rows.map((row) => columns.map((name) => `${row[name] ?? ''},`).join(''));
  const header = columns.map((name) => `"${name}",`).join('');
  return [header, ...lines, ''].join(lineEnd);
}

/** The 119 columns of BTS's marketing-carrier table, in order; `Operating_Airline ` ends in a blank. */
export const MARKETING_COLUMNS: readonly string[] = [
  ...BTS_COLUMNS.slice(0, 6),
  'Marketing_Airline_Network',
  'Operated_or_Branded_Code_Share_Partners',
  'DOT_ID_Marketing_Airline',
  'IATA_Code_Marketing_Airline',
  'Flight_Number_Marketing_Airline',
  'Originally_Scheduled_Code_Share_Airline',
  'DOT_ID_Originally_Scheduled_Code_Share_Airline',
  'IATA_Code_Originally_Scheduled_Code_Share_Airline',
  'Flight_Num_Originally_Scheduled_Code_Share_Airline',
  'Operating_Airline ',
  'DOT_ID_Operating_Airline',
  'IATA_Code_Operating_Airline',
  'Tail_Number',
  'Flight_Number_Operating_Airline',
  ...BTS_COLUMNS.slice(11),
  'Duplicate',
];

/** `aReportedFlight` as the marketing-carrier table has it: sold and operated by Delta unless the changes say otherwise. */
export function aMarketedFlight(changes: Record<string, string> = {}): Record<string, string> {
  return {
    ...aReportedFlight(),
    Marketing_Airline_Network: 'DL',
    Operated_or_Branded_Code_Share_Partners: 'DL',
    IATA_Code_Marketing_Airline: 'DL',
    Flight_Number_Marketing_Airline: '423',
    'Operating_Airline ': 'DL',
    IATA_Code_Operating_Airline: 'DL',
    Flight_Number_Operating_Airline: '423',
    Duplicate: 'N',
    ...changes,
  };
}

/** Formats the rows like BTS's marketing-carrier table. */
export function marketingCsv(rows: Record<string, string>[]): string {
  return btsCsv(rows, { columns: MARKETING_COLUMNS });
}
