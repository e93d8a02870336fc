import { readFileSync } from 'node:fs';
import test from 'ava';
import { SourceFormatError } from '../../../pipelines/errors.ts';
import { parseNasStatus } from '../../../pipelines/nas/parse.ts';
import { sharedData } from '../../helpers/shared-data.ts';

const NOW = new Date('2026-07-29T14:45:00Z');
const parse = (xml: string, now = NOW) => parseNasStatus('nas', xml, now);

const status = (lists: string) =>
  `<AIRPORT_STATUS_INFORMATION><Update_Time>now</Update_Time><Delay_type><Name>Any</Name>${lists}</Delay_type></AIRPORT_STATUS_INFORMATION>`;

test('the captured status has a ground delay, a departure delay and no closure that stops airlines', (t) => {
  t.deepEqual(parse(readFileSync(sharedData('nas', 'faa_nas_status_2026-07-29.xml'), 'utf8')), [
    // 41 and 45 minutes of 120, times 0.8.
    { airport: 'SFO', kind: 'delay', severity: 0.27, reason: 'low ceilings' },
    { airport: 'SAN', kind: 'departures', severity: 0.3, reason: 'VOL:Compacted Demand' },
  ]);
});

test('a ground stop counts 0.8, and two hours of delay do', (t) => {
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

test('an airport that is closed to all counts while the notice is in force', (t) => {
  const xml = status(
    `<Airport_Closure_List><Airport><ARPT>PVD</ARPT><Reason>!PVD 07/1 PVD AD AP CLSD 2607291000-2607292000</Reason></Airport></Airport_Closure_List>`,
  );
  t.like(parse(xml), [{ airport: 'PVD', kind: 'closure', severity: 0.9 }]);
  t.deepEqual(parse(xml, new Date('2026-07-29T09:59:00Z')), []);
  t.deepEqual(parse(xml, new Date('2026-07-29T20:00:00Z')), []);
});

test('a day without measures is none, and what is no status is an error', (t) => {
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
