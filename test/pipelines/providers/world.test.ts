import test from 'ava';
import { csv, loadWorldFile as load, SUMS } from './helpers/world.ts';

test.serial('Hong Kong: every flight counts, but for delays of more than a day', async (t) => {
  const { report, rejects, rows } = await load(
    t,
    'hkia_past_2025-10-16_2025-12-31.ndjson.gz',
    // One row per flight. The query reads the JSON file independently of the code under test.
    `with days as (
       select unnest(body) as day from read_json(getvariable('file'), format = 'newline_delimited',
         columns = {body: 'struct("date" date, arrival boolean, list struct("time" varchar, status varchar, origin varchar[], destination varchar[])[])[]'})
     ),
     flights as (select day.date as day, unnest(day.list) as flight from days),
     timed as (
       select
         flight.status,
         coalesce(flight.origin, flight.destination) as places,
         (day || ' ' || flight.time)::timestamp as planned,
         regexp_extract(flight.status, ' (\\d\\d:\\d\\d)', 1) as clock,
         regexp_extract(flight.status, '\\((.*)\\)', 1) as other_day,
         day
       from flights
     )
     select status, places, date_diff('minute', planned, case when clock <> '' then
       (coalesce(try_strptime(other_day, '%d/%m/%Y')::date, day) || ' ' || clock)::timestamp end) as delay
     from timed`,
  );
  const raw = await rows(`select
      count(*)::int as flights, count(*) filter (where status = 'Cancelled')::int as cancelled,
      count(delay)::int as completed, count(*) filter (where delay >= 15)::int as late15,
      count(*) filter (where delay > 30)::int as late30
    from raw where coalesce(delay, 0) <= 1440 and not list_contains(places, 'HKG')`);
  t.is(report.rowsRead, 66_123);
  t.deepEqual(rejects, { delay_over_24_hours: 7, same_origin_dest: 2 });
  t.deepEqual(await rows(SUMS), raw);
});

test.serial('Zurich: starts count by departure, landings by arrival', async (t) => {
  const { report, rejects, rows } = await load(t, 'zrh_2017_flights.csv.gz', csv());
  t.is(report.rowsRead, 236_422);
  t.deepEqual(rejects, { duplicate_flight: 4, round_trip: 73, unknown_airline: 154 });
  const bases = await rows(`select delay_basis as basis, sum(flight_count)::int as flights,
      sum(delayed_count)::int as late
    from lake where carrier = 'LX' group by all order by all`);
  const raw = await rows(`
    with delays as (
      select start_landing, (epoch(effective_time::time)::int // 60 - epoch(planed_time::time)::int // 60 + 2160) % 1440 - 720 as delay
      from raw where origin_destination <> 'ZRH' and airline_code = 'LX'
    )
    select if(start_landing = 'L', 'arrival', 'departure') as basis, count(*)::int as flights,
      count(*) filter (where delay > 30)::int as late
    from delays group by all order by all`);
  t.deepEqual(bases, raw);
});

test.serial(
  'Australia: rows with totals are left out, and on time means up to 15 minutes late',
  async (t) => {
    const { report, rejects, rows } = await load(
      t,
      'bitre_otp_time_series_web_2020-01_2023-12.csv.gz',
      csv(),
    );
    t.is(report.rowsRead, 20_256);
    t.deepEqual(rejects, { total: 5_250 });
    const raw = await rows(`select
      sum(sectors_scheduled::int)::int as flights, sum(cancellations::int)::int as cancelled,
      sum(arrivals_on_time::int + arrivals_delayed::int)::int as completed,
      sum(arrivals_delayed::int)::int as late15, null::int as late30
    from raw where airline <> 'All Airlines' and departing_port <> 'All Ports' and arriving_port <> 'All Ports'`);
    t.deepEqual(await rows(SUMS), raw);
  },
);

test.serial('France: late flights are counts again', async (t) => {
  const { report, rejects, rows } = await load(
    t,
    'aqst_avion_par_compagnie_2018-10_2019-09.csv.gz',
    csv(),
  );
  t.is(report.rowsRead, 6_029);
  t.deepEqual(rejects, { unknown_airline: 294 });
  const late = `"Part (%) des vols exploités par la Cie en retard à l'arrivée sur la relation (mois)"`;
  const flown = '"Nbre mensuel de vols assurés par la Cie sur la relation"::int';
  const [raw] = await rows(`select sum(${flown})::int as completed,
      sum(round(${late}::double * ${flown} / 100))::int as late15, null::int as late30
    from raw where "Code Cie" = 'AFR'`);
  const [lake] = await rows(`select sum(completed_count)::int as completed,
      sum(delayed15_count)::int as late15, sum(delayed_count)::int as late30
    from lake where carrier = 'AF'`);
  t.deepEqual(lake, raw);
});

/** Flights of a British file that fly abroad or arrive from an airport that does not report. */
const countBritish = (bands: string, total: string) => `select
    sum(${total})::int as flights, sum(number_flights_matched::int)::int as completed,
    sum(round((${bands}) * (${total}) / 100))::int as late30
  from raw`;

test.serial('Britain 2019: bands are counts again, and domestic flights count once', async (t) => {
  const { report, rejects, rows } = await load(
    t,
    'caa_2019_Annual_Punctuality_Statistics_Full_Analysis_Arrival_Departure.csv.gz',
    csv(),
  );
  t.deepEqual(rejects, {
    charter_airline: 604,
    counted_at_destination: 625,
    no_flights: 5_302,
    unknown_airline: 93,
    unknown_airport: 1,
  });
  t.deepEqual(
    report.months.map(({ month }) => month),
    ['2019-12'],
  );
  const total =
    'number_flights_matched::int + actual_flights_unmatched::int + number_flights_cancelled::int';
  const bands = `flights_between_31_and_60_minutes_late_percent::double
    + flights_between_61_and_120_minutes_late_percent::double
    + flights_between_121_and_180_minutes_late_percent::double
    + flights_between_181_and_360_minutes_late_percent::double
    + flights_more_than_360_minutes_late_percent::double`;
  // Arrivals at Heathrow, both from abroad and from Britain.
  const raw = await rows(`${countBritish(bands, total)}
    where reporting_airport = 'HEATHROW' and arrival_departure = 'A' and airline_name = 'BRITISH AIRWAYS PLC'`);
  const lake =
    await rows(`select sum(flight_count)::int as flights, sum(completed_count)::int as completed,
      sum(delayed_count)::int as late30
    from lake where dest = 'LHR' and delay_basis = 'arrival' and carrier = 'BA'`);
  t.deepEqual(lake, raw);
  const domestic = await rows(`select delay_basis as basis from lake
    where origin = 'LHR' and dest in ('EDI', 'MAN', 'GLA') group by all`);
  t.deepEqual(domestic, [{ basis: 'arrival' }]);
});

test.serial('Britain 2017: the older layout has no cancellations', async (t) => {
  const { report, rows } = await load(
    t,
    'caa_2017_Annual_Full_Analysis_Arr_Dep.csv.gz',
    csv(", encoding = 'latin-1'"),
  );
  t.is(report.source.form, 'caa_punctuality_to_2017');
  t.is(report.rowsRead, 17_528);
  const [sums] = await rows<{ cancelled: null }>(SUMS);
  t.is(sums?.cancelled, null);
  const bands = `flts_31_to_60_mins_late_percent::double + flts_61_to_180_mins_late_percent::double
    + flts_181_to_360_mins_late_percent::double + more_than_360_mins_late_percent::double`;
  const raw = await rows(`select
      sum(number_flights_matched::int + actual_flights_unmatched::int)::int as flights,
      sum(round((${bands}) * number_flights_matched::int / 100))::int as late30
    from raw
    where reporting_airport = 'HEATHROW' and arrival_departure = 'A' and airline_name = 'BRITISH AIRWAYS PLC'`);
  const lake =
    await rows(`select sum(flight_count)::int as flights, sum(delayed_count)::int as late30
    from lake where dest = 'LHR' and delay_basis = 'arrival' and carrier = 'BA'`);
  t.deepEqual(lake, raw);
});

test.serial(
  'Britain in January 2024: counts for both directions together are divided between the directions',
  async (t) => {
    const { rows } = await load(t, 'caa_202401_Punctuality_Statistics_Full_Analysis.csv.gz', csv());
    const [raw] = await rows<{ flights: number }>(`select sum(number_flights_matched::int
      + actual_flights_unmatched::int + number_flights_cancelled::int)::int as flights
    from raw where reporting_airport = 'HEATHROW' and airline_name = 'AIR FRANCE'`);
    const lake = await rows<{ flights: number }>(`select sum(flight_count)::int as flights from lake
    where carrier = 'AF' and 'LHR' in (origin, dest) group by origin = 'LHR' order by 1 desc`);
    t.is(lake.length, 2);
    t.is(lake[0]!.flights + lake[1]!.flights, raw!.flights);
    t.true(lake[0]!.flights - lake[1]!.flights <= 1);
  },
);

test.serial('Brazil: only scheduled passenger flights of the month count', async (t) => {
  const { report, rejects, rows } = await load(t, 'VRA_2021_03.csv.gz', csv(", delim = ';'"));
  t.is(report.rowsRead, 41_094);
  t.deepEqual(
    report.months.map(({ month }) => month),
    ['2021-03'],
  );
  t.is(rejects.not_passenger, 3_364);
  const [raw] = await rows(`select count(*)::int as flights,
      count(*) filter (where "Situação Voo" = 'CANCELADO')::int as cancelled
    from raw where "Sigla ICAO Empresa Aérea" = 'GLO' and "Código Tipo Linha" in ('N', 'I')
      and strptime("Partida Prevista", '%d/%m/%Y %H:%M') between '2021-03-01' and '2021-03-31 23:59'`);
  const [lake] =
    await rows(`select sum(flight_count)::int as flights, sum(cancelled_count)::int as cancelled
    from lake where carrier = 'G3'`);
  t.deepEqual(lake, raw);
});
