import test from 'ava';
import { csv, loadWorldFile } from './helpers/world.ts';

/** Airports and airlines of the comparison, with the codes that the lake must use. */
const BRITISH_NAMES = `
  airports(airport, code) as (values
    ('HEATHROW', 'LHR'), ('GATWICK', 'LGW'), ('MANCHESTER', 'MAN'), ('STANSTED', 'STN'), ('LUTON', 'LTN'),
    ('EDINBURGH', 'EDI'), ('BIRMINGHAM', 'BHX'), ('GLASGOW', 'GLA'), ('ABERDEEN', 'ABZ'), ('LONDON CITY', 'LCY')
  ),
  airlines(airline, carrier) as (values
    ('BRITISH AIRWAYS PLC', 'BA'), ('RYANAIR', 'FR'), ('EASYJET UK LTD', 'U2'), ('EASYJET AIRLINE COMPANY LTD', 'U2'),
    ('AIR FRANCE', 'AF'), ('LUFTHANSA', 'LH'), ('FLYBE LTD', 'BE'), ('EMIRATES', 'EK'), ('AMERICAN AIRLINES', 'AA'),
    ('KLM', 'KL')
  )`;

/** Airfields without an IATA code in the lists of airports. Their rows are rejected. */
const UNKNOWN_PLACES =
  "'MELUN', 'GUYANCOURT', 'MOENCHENGLADBACH', 'COTSWOLD APT - KEMBLE', 'TOLLERTON NOTTINGHAM'";
const UNKNOWN_AIRFIELDS = "'SNTI', 'SBJC', 'GVPR', 'KGGF', 'SNGV', 'LFTM'";

/** From 2018 on, the percentages of a row's delay bands, unmatched flights and cancelled flights add up to 100 %. */
const BRITISH_RAW = `
  with ${BRITISH_NAMES},
  flights as (
    select
      code as airport,
      carrier,
      number_flights_matched::int as matched,
      number_flights_cancelled::int as cancelled,
      number_flights_matched::int + actual_flights_unmatched::int + number_flights_cancelled::int as flights,
      flights_between_16_and_30_minutes_late_percent::double as band16,
      flights_between_31_and_60_minutes_late_percent::double as band31,
      flights_between_61_and_120_minutes_late_percent::double
        + flights_between_121_and_180_minutes_late_percent::double as band61,
      flights_between_121_and_180_minutes_late_percent::double as band121,
      flights_between_181_and_360_minutes_late_percent::double as band181,
      flights_more_than_360_minutes_late_percent::double as band361
    from raw
    inner join airports on airport = reporting_airport
    inner join airlines on airline = airline_name
    where arrival_departure = 'A' and origin_destination not in (${UNKNOWN_PLACES})
  )
  select
    airport,
    carrier,
    sum(flights)::int as flights,
    sum(cancelled)::int as cancelled,
    sum(matched)::int as completed,
    sum(round((band16 + band31 + band61 + band181 + band361) * flights / 100))::int as late15,
    sum(round((band31 + band61 + band181 + band361) * flights / 100))::int as late30,
    sum(round((band61 + band181 + band361) * flights / 100))::int as late60,
    sum(round((band121 + band181 + band361) * flights / 100))::int as late120,
    sum(round((band181 + band361) * flights / 100))::int as late180,
    sum(round(band361 * flights / 100))::int as late360
  from flights
  where flights > 0
  group by all
  order by all`;

const BRITISH_LAKE = `
  with ${BRITISH_NAMES}
  select
    dest as airport,
    carrier,
    sum(flight_count)::int as flights,
    sum(cancelled_count)::int as cancelled,
    sum(completed_count)::int as completed,
    sum(delayed15_count)::int as late15,
    sum(delayed_count)::int as late30,
    sum(delayed60_count)::int as late60,
    sum(delayed120_count)::int as late120,
    sum(delayed180_count)::int as late180,
    sum(delayed360_count)::int as late360
  from lake
  where
    delay_basis = 'arrival'
    and dest in (select code from airports)
    and carrier in (select carrier from airlines)
  group by all
  order by all`;

/** Each year with the name of its file. The files have figures by airline and airport. */
const BRITISH_YEARS = [
  ['2018', 'caa_2018_Annual_Punctuality_Statistics_Full_Analysis_Arrival_Departure.csv.gz'],
  ['2019', 'caa_2019_Annual_Punctuality_Statistics_Full_Analysis_Arrival_Departure.csv.gz'],
  ['2021', 'caa_2021_Annual_Punctuality_Statistics_Full_Analysis_Arrival_Departure.csv.gz'],
] as const;

for (const [year, name] of BRITISH_YEARS) {
  test.serial(
    `Britain ${year}: flights, bands and cancellations of every airline at an airport are those of the file`,
    async (t) => {
      const { report, rows } = await loadWorldFile(t, name, csv());
      t.deepEqual(
        report.months.map(({ month, periodMonths }) => [month, periodMonths]),
        [[`${year}-12`, 12]],
      );
      const raw = await rows(BRITISH_RAW);
      t.true(raw.length >= 30, `${raw.length} airlines at airports`);
      t.deepEqual(await rows(BRITISH_LAKE), raw);
    },
  );
}

/** Counts a delay only if the flight was operated and both its scheduled and its actual arrival are known. */
const BRAZILIAN_RAW = `
  with airlines(icao, carrier) as (values ('GLO', 'G3'), ('AZU', 'AD'), ('TAM', 'LA'), ('LAN', 'LA')),
  flights as (
    select
      carrier,
      "Situação Voo" = 'CANCELADO' as is_cancelled,
      strptime("Partida Prevista", '%d/%m/%Y %H:%M') as planned,
      case when not is_cancelled then date_diff('minute',
        strptime("Chegada Prevista", '%d/%m/%Y %H:%M'), strptime("Chegada Real", '%d/%m/%Y %H:%M')) end as delay
    from raw
    inner join airlines on icao = "Sigla ICAO Empresa Aérea"
    where
      "Código Tipo Linha" in ('N', 'I')
      and "Sigla ICAO Aeroporto Origem" not in (${UNKNOWN_AIRFIELDS})
      and "Sigla ICAO Aeroporto Destino" not in (${UNKNOWN_AIRFIELDS})
    -- A row that repeats a flight of an earlier row counts once.
    qualify row_number() over (
      partition by carrier, "Número Voo", "Sigla ICAO Aeroporto Origem", "Sigla ICAO Aeroporto Destino", planned
    ) = 1
  )
  select
    carrier,
    count(*)::int as flights,
    count(*) filter (where is_cancelled)::int as cancelled,
    count(delay)::int as completed,
    count(*) filter (where delay >= 15)::int as late15,
    count(*) filter (where delay > 30)::int as late30
  from flights
  where strftime(planned, '%Y-%m') = getvariable('month') and abs(coalesce(delay, 0)) <= 1440
  group by all
  order by all`;

const BRAZILIAN_LAKE = `
  select
    carrier,
    sum(flight_count)::int as flights,
    sum(cancelled_count)::int as cancelled,
    sum(completed_count)::int as completed,
    sum(delayed15_count)::int as late15,
    sum(delayed_count)::int as late30
  from lake
  where carrier in ('G3', 'AD', 'LA')
  group by all
  order by all`;

for (const month of [
  '2020-04',
  '2020-05',
  '2020-06',
  '2020-07',
  '2020-09',
  '2020-10',
  '2021-03',
  '2021-04',
]) {
  test.serial(
    `Brazil ${month}: flights, delays and cancellations are those of the file`,
    async (t) => {
      const name = `VRA_${month.replace('-', '_')}.csv.gz`;
      const { report, rows } = await loadWorldFile(t, name, csv(", delim = ';'"));
      t.deepEqual(
        report.months.map((one) => one.month),
        [month],
      );
      await rows('set variable month = $month', { month });
      const raw = await rows(BRAZILIAN_RAW);
      t.is(raw.length, 3);
      t.deepEqual(await rows(BRAZILIAN_LAKE), raw);
    },
  );
}
