import { readFile } from 'node:fs/promises';
import test from 'ava';
import { detailsJson, listDetails } from '../../../../jobs/cli/fit/airports.ts';
import {
  AIRPORT_DETAILS,
  readAirportDetails,
} from '../../../../warehouse/reference/airport-details.ts';

test('the bundled facts about airports are those of the packages', async (t) => {
  t.is(detailsJson(await listDetails()), await readFile(AIRPORT_DETAILS, 'utf8'));
  const details = await readAirportDetails();
  t.deepEqual(details.get('DFW'), { icao: 'KDFW', size: 3, state: 'TX Texas' });
  t.deepEqual(details.get('AGB'), { icao: 'EDMA', size: 0, state: '' });
  t.is(details.get('SJU')?.state, 'PR Puerto Rico');
});
