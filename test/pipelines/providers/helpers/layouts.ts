/** Small files in the layouts of the providers. */

/** The columns of a file, and its rows. All rows of a layout are in one month. */
type Layout = {
  /** First line of a CSV. */
  header?: string;
  /** Returns the text of a row that is loaded; `at` is the index of the row. */
  good: (at: number) => string;
  /** Returns the text of a row that is rejected. */
  bad: (at: number) => string;
  /** Why the row is rejected. */
  reason: string;
  /** Returns the file with these rows; absent for a CSV. */
  file?: (rows: string[]) => string;
};

export const CAA = [
  'run_date,reporting_period,reporting_airport,origin_destination_country,origin_destination,airline_name',
  'arrival_departure,scheduled_charter,number_flights_matched,actual_flights_unmatched,number_flights_cancelled',
  'flights_more_than_15_minutes_early_percent,flights_15_minutes_early_to_1_minute_early_percent',
  'flights_0_to_15_minutes_late_percent,flights_between_16_and_30_minutes_late_percent',
  'flights_between_31_and_60_minutes_late_percent,flights_between_61_and_120_minutes_late_percent',
  'flights_between_121_and_180_minutes_late_percent,flights_between_181_and_360_minutes_late_percent',
  'flights_more_than_360_minutes_late_percent,flights_unmatched_percent,flights_cancelled_percent,average_delay_mins',
  'previous_year_month_flights_matched,previous_year_month_early_to_15_mins_late_percent,previous_year_month_average_delay',
].join(',');

export const OLDER_CAA = [
  'run_date,reporting_period,reporting_airport,origin_destination_country,origin_destination,airline_name',
  'arrival_departure,scheduled_charter,number_flights_matched,actual_flights_unmatched,early_to_15_mins_late_percent',
  'flts_16_to_30_mins_late_percent,flts_31_to_60_mins_late_percent,flts_61_to_180_mins_late_percent',
  'flts_181_to_360_mins_late_percent,more_than_360_mins_late_percent,average_delay_mins,planned_flights_unmatched',
  'previous_year_month_flights_matched,previous_year_month_early_to_15_mins_late_percent',
  'previous_year_month_average_delay',
].join(',');

export const BITRE =
  'Route,Departing_Port,Arriving_Port,Airline,Month,Sectors_Scheduled,Sectors_Flown,Cancellations,Departures_On_Time,Arrivals_On_Time,Departures_Delayed,Arrivals_Delayed,Year,Month_Num';

export const VRA =
  'Sigla ICAO Empresa Aérea;Número Voo;Código DI;Código Tipo Linha;Sigla ICAO Aeroporto Origem;Partida Prevista;Partida Real;Sigla ICAO Aeroporto Destino;Chegada Prevista;Chegada Real;Situação Voo';

const AQST = [
  "Mode,Mois,Année,Service,Aéroport d'origine,Aéroport de destination,Compagnie",
  'Nbre mensuel de vols programmés par la Cie sur la relation,Nbre mensuel de vols assurés par la Cie sur la relation',
  'Nbre mensuel de vols annulés par la Cie sur la relation',
  "Part (%) des vols exploités par la Cie en retard à l'arrivée sur la relation (mois)",
  'Code Cie,Code Aero Départ,Code Aero Destination',
].join(',');

/** Returns a time of day that differs from row to row. */
const clock = (at: number) =>
  `${String(6 + (Math.floor(at / 60) % 12)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
const older = (at: number, airport: string) =>
  `x,201206,${airport},FRANCE,PARIS (CHARLES DE GAULLE),AIR FRANCE,A,S,${at + 1},0,80,10,5,5,0,0,9,0,0,0,0`;
const newer = (at: number, airport: string) =>
  `x,202501,${airport},FRANCE,PARIS (CHARLES DE GAULLE),AIR FRANCE,A,S,${at + 1},0,0,0,80,0,10,10,0,0,0,0,0,0,9,0,0,0`;
const australian = (at: number, airline: string) =>
  `x,Sydney,Melbourne,${airline},Jan-24,${at + 1},${at + 1},0,0,${at + 1},0,0,2024,1`;
const brazilian = (at: number, origin: string) =>
  `GLO;${at + 1};0;N;${origin};15/05/2021 10:00;15/05/2021 10:05;SBRJ;15/05/2021 11:00;15/05/2021 11:00;REALIZADO`;
const french = (at: number, airline: string) =>
  `Avion,10,2018,x,ABIDJAN,PARIS-CDG,AIR FRANCE,${at + 1},${at + 1},0,10,${airline},DIAP,LFPG`;
const zurich = (at: number, airline: string) =>
  `05.01.2017,${airline},x,LX${at + 1},L,A320,LHR,x,${clock(at)}:20,${clock(at)}:00,x,1`;
const own = (at: number, arrival: string) =>
  `2018-06-04,AF,${at + 1},EGLL,CDG,${clock(at)},${arrival}`;
const hongKong = (at: number, status: string) =>
  JSON.stringify({
    time: '08:15',
    flight: [{ no: `CX ${at + 1}`, airline: 'CPA' }],
    origin: ['NRT'],
    status,
  });

/** At least one layout of each provider except BTS, by the provider's name. */
export const LAYOUTS: Record<string, Layout> = {
  hkia: {
    good: (at) => hongKong(at, 'At gate 08:20'),
    bad: (at) => hongKong(at, 'At gate 08:20 (19/01/2026)'),
    reason: 'delay_over_24_hours',
    // The file has two lines with one answer each, like the file of a program that collects answers.
    file: (rows) =>
      [rows.slice(0, 1_000), rows.slice(1_000)]
        .map(
          (list) =>
            `{"request":{},"body":[{"date":"2026-01-15","arrival":true,"cargo":false,"list":[${list.join(',')}]}]}\n`,
        )
        .join(''),
  },
  zrh: {
    header:
      'date,airline_code,airline_name,Flugnummer,start_landing,airplane_type,origin_destination,Schengen,effective_time,planed_time,continent,number_of_movements',
    good: (at) => zurich(at, 'LX'),
    bad: (at) => zurich(at, 'XYZ'),
    reason: 'unknown_airline',
  },
  bitre: {
    header: BITRE,
    good: (at) => australian(at, 'Qantas'),
    bad: (at) => australian(at, 'All Airlines'),
    reason: 'total',
  },
  'caa from 2018': {
    header: CAA,
    good: (at) => newer(at, 'HEATHROW'),
    bad: (at) => newer(at, 'ATLANTIS'),
    reason: 'unknown_airport',
  },
  'caa to 2017': {
    header: OLDER_CAA,
    good: (at) => older(at, 'GATWICK'),
    bad: (at) => older(at, 'ATLANTIS'),
    reason: 'unknown_airport',
  },
  aqst: {
    header: AQST,
    good: (at) => french(at, 'AFR'),
    bad: (at) => french(at, '?'),
    reason: 'unknown_airline',
  },
  anac: {
    header: VRA,
    good: (at) => brazilian(at, 'SBGR'),
    bad: (at) => brazilian(at, 'XXXX'),
    reason: 'unknown_airport',
  },
  own: {
    header: 'flight_date,airline,flight,origin,dest,scheduled_arrival,actual_arrival',
    good: (at) => own(at, clock(at)),
    bad: (at) => own(at, '27:00'),
    reason: 'invalid_time',
  },
};
