import { readFileSync } from 'node:fs';
import test from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { parseNasStatus } from '../../../pipelines/nas/parse.ts';
import { sharedData } from '../../../bench/stage/shared-data.ts';

const NOW = new Date('2026-07-29T14:45:00Z');
const parse = (xml: string, now = NOW) => parseNasStatus('nas', xml, now);

const status = (lists: string) =>
  `<AIRPORT_STATUS_INFORMATION><Update_Time>now</Update_Time><Delay_type><Name>Any</Name>${lists}</Delay_type></AIRPORT_STATUS_INFORMATION>`;

test('the captured status has a ground delay, a departure delay and no closure for airlines', (t) => {
  t.deepEqual(parse(readFileSync(sharedData('nas', 'faa_nas_status_2026-07-29.xml'), 'utf8')), [
    // The delays are 41 and 45 minutes. The severity is 0.8 × minutes / 120.
    { airport: 'SFO', kind: 'delay', severity: 0.27, reason: 'low ceilings' },
    { airport: 'SAN', kind: 'departures', severity: 0.3, reason: 'VOL:Compacted Demand' },
  ]);
});

test('a ground stop has severity 0.8, and so has a delay of two hours', (t) => {
  const xml = status(`
    <Ground_Stop_List><Program><ARPT>ATL</ARPT><Reason>thunderstorms</Reason><End_Time>4:00 pm EDT.</End_Time></Program></Ground_Stop_List>
    <Arrival_Departure_Delay_List><Delay><ARPT>BOS</ARPT><Reason>wind</Reason>
      <Arrival_Departure Type="Arrival"><Min>1 hour and 40 minutes</Min><Max>2 hours and 10 minutes</Max></Arrival_Departure>
    </Delay></Arrival_Departure_Delay_List>`);
  t.deepEqual(parse(xml), [
    { airport: 'ATL', kind: 'stop', severity: 0.8, reason: 'thunderstorms' },
    { airport: 'BOS', kind: 'arrivals', severity: 0.8, reason: 'wind' },
  ]);
});

test('an airport closed to all aircraft counts while the notice is in force', (t) => {
  const xml = status(
    `<Airport_Closure_List><Airport><ARPT>PVD</ARPT><Reason>!PVD 07/1 PVD AD AP CLSD 2607291000-2607292000</Reason></Airport></Airport_Closure_List>`,
  );
  t.like(parse(xml), [{ airport: 'PVD', kind: 'closure', severity: 0.9 }]);
  t.deepEqual(parse(xml, new Date('2026-07-29T09:59:00Z')), []);
  t.deepEqual(parse(xml, new Date('2026-07-29T20:00:00Z')), []);
});

test('a status without measures gives an empty list, and other input is an error', (t) => {
  t.deepEqual(
    parse('<AIRPORT_STATUS_INFORMATION><Update_Time>x</Update_Time></AIRPORT_STATUS_INFORMATION>'),
    [],
  );
  t.deepEqual(parse(status('<Ground_Stop_List></Ground_Stop_List>')), []);
  for (const bad of [
    '',
    '<html>Sorry</html>',
    '{"a":1}',
    '<a',
    status('<Ground_Stop_List>x</Ground_Stop_List>'),
  ]) {
    t.throws(() => parse(bad), { instanceOf: SourceFormatError }, bad);
  }
});

test('the older form, JSON, has the same measures under the same names', (t) => {
  const json = readFileSync(sharedData('nas', 'faa_delays_legacy.json'), 'utf8');
  const programs = parse(json, new Date('2011-06-22T19:45:00Z'));
  const severitiesOf = (kind: string) =>
    programs
      .filter((program) => program.kind === kind)
      .map(({ airport, severity }) => [airport, severity]);
  t.deepEqual(severitiesOf('stop'), [
    ['ATL', 0.8],
    ['JFK', 0.8],
  ]);
  // The average delays are 46, 47, 46 and 29 minutes. The severity is 0.8 × minutes / 120.
  t.deepEqual(severitiesOf('delay'), [
    ['BOS', 0.31],
    ['EWR', 0.31],
    ['JFK', 0.31],
    ['LGA', 0.19],
  ]);
  // Longest delay in minutes: 45 in Houston and Teterboro, otherwise 30.
  t.deepEqual(severitiesOf('departures'), [
    ['DCA', 0.2],
    ['EWR', 0.2],
    ['IAH', 0.3],
    ['JFK', 0.2],
    ['ORD', 0.2],
    ['TEB', 0.3],
  ]);
  t.is(programs.length, 12);
  t.is(programs[0]?.reason, 'WEATHER / THUNDERSTORMS');
});

test('a status more than an hour from the current time is refused', (t) => {
  const xml = readFileSync(sharedData('nas', 'faa_nas_status_2026-07-29.xml'), 'utf8');
  t.is(parse(xml, new Date('2026-07-29T15:41:00Z')).length, 2);
  for (const now of ['2026-07-29T15:41:02Z', '2026-07-29T13:41:00Z', '2099-01-01T00:00:00Z']) {
    t.throws(() => parse(xml, new Date(now)), {
      instanceOf: SourceFormatError,
      message: /is not current: it is from Wed Jul 29 14:41:01 2026 GMT$/,
    });
  }
});

test('in JSON, a list of one item may be the item itself, and a status without measures gives an empty list', (t) => {
  const json = (status: unknown) => JSON.stringify({ AIRPORT_STATUS_INFORMATION: status });
  const stop = { ARPT: 'ATL', Reason: 'wind', End_Time: '4:00 pm EDT.' };
  t.deepEqual(parse(json({ Delay_type: { Ground_Stop_List: { Program: stop } } })), [
    { airport: 'ATL', kind: 'stop', severity: 0.8, reason: 'wind' },
  ]);
  t.deepEqual(parse(json({ Delay_type: [] })), []);
  t.deepEqual(parse(json({ Delay_type: [{ Name: 'x', Ground_Stop_List: '' }] })), []);
});

test('JSON with wrong types, too long texts or too many entries is refused', (t) => {
  const statusWith = (Program: unknown) =>
    JSON.stringify({
      AIRPORT_STATUS_INFORMATION: { Delay_type: [{ Ground_Stop_List: { Program } }] },
    });
  const stop = { ARPT: 'ATL', Reason: 'wind' };
  const stops = (count: number) => Array.from({ length: count }, () => stop);
  t.is(parse(statusWith(stops(1_000))).length, 1_000);
  for (const bad of [
    '{',
    '{"AIRPORT_STATUS_INFORMATION":[]}',
    '{"AIRPORT_STATUS_INFORMATION":{"Delay_type":7}}',
    `{"AIRPORT_STATUS_INFORMATION":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    statusWith('ATL'),
    statusWith([{ ...stop, ARPT: 7 }]),
    statusWith([{ ...stop, ARPT: { toString: 'ATL' } }]),
    statusWith([{ ...stop, Reason: null }]),
    statusWith([{ Reason: 'wind' }]),
    statusWith([{ ...stop, Reason: 'x'.repeat(2_001) }]),
    statusWith(stops(1_001)),
  ]) {
    t.throws(() => parse(bad), { instanceOf: SourceFormatError }, bad.slice(0, 200));
  }
});

test('a delay of a million digits is refused', (t) => {
  const delays = `<Ground_Delay_List><Ground_Delay><ARPT>SFO</ARPT><Avg>${'9'.repeat(1_000_000)}</Avg></Ground_Delay></Ground_Delay_List>`;
  t.throws(() => parse(status(delays)), { instanceOf: SourceFormatError });
});
