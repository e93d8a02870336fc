import test from 'ava';
import type { FullScore } from '../../../api/explorer/views/flight/flight-data.ts';
import type { AirlinesBody } from '../../../api/schemas/airlines.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

const deps = { ...explorerDeps(), stores: { current: () => PLACES_STORE } };
const json = createJsonGet(deps);
const getPage = createPageGet(deps);

const airlinesOf = async () =>
  (await json('/api/airlines?origin=JFK&dest=LAX&include=record')) as AirlinesBody;
const countText = (flights: number) => flights.toLocaleString('en-GB');
const monthText = (month: string) =>
  new Date(`${month}-01`).toLocaleString('en-GB', {
    ...{ month: 'short', year: 'numeric', timeZone: 'UTC' },
  });

test('the airlines on the page of a route have the flights and months of /api/airlines', async (t) => {
  const { airlines } = await airlinesOf();
  const { payload } = await getPage('/routes/JFK-LAX');
  const [, list = ''] = /aria-label="Airlines on this route">(.*?)<\/section>/s.exec(payload) ?? [];
  const rows = [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) => textOf(row));
  t.true(airlines.length > 1);
  t.is(rows.length, airlines.length);
  for (const { airline, airline_name, total_flights, record } of airlines) {
    const [first, last] = [record!.first, record!.last].map(monthText);
    const period = first === last ? first : `${first} – ${last}`;
    const row = `${airline} ${airline_name} ${countText(total_flights)} flights, ${period} `;
    t.true(
      rows.some((one) => one.startsWith(row)),
      `${row} in ${rows.join(' | ')}`,
    );
  }
});

test('the airlines on the page of a flight have the scores of /api/score and the flights of /api/airlines', async (t) => {
  const { airlines } = await airlinesOf();
  const { payload } = await getPage('/flights/JFK-LAX-DL-2026-03-20?dep_time=08:00');
  const [, figure = ''] = /<figure[^>]* id="airlines">(.*?)<\/figure>/s.exec(payload) ?? [];
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(figure) ?? [];
  const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => textOf(row));
  t.is(rows.length, airlines.length);
  for (const { airline, airline_name, total_flights, record } of airlines) {
    const query = `origin=JFK&dest=LAX&airline=${airline}&date=2026-03-20&dep_time=08:00`;
    const { score, label } = (await json(`/api/score?${query}`)) as FullScore;
    const row = `${airline_name} ${airline} ${score} ${label} ${total_flights} ${monthText(record!.last)} `;
    t.true(
      rows.some((one) => one.startsWith(row)),
      `${row} in ${rows.join(' | ')}`,
    );
    // The bar of the airline has the same score.
    t.true(figure.includes(`<title>${airline_name}: ${score}, ${label}`), airline);
  }
});
