import test from 'ava';
import { chanceText } from '../../../api/explorer/views/chance-lines.ts';
import { chanceOf } from '../../../api/explorer/views/flight/chance.ts';
import type { AlternativesData } from '../../../api/explorer/views/flight/alternatives-data.ts';
import {
  flightText,
  type CompareData,
  type ComparedScore,
} from '../../../api/explorer/views/compare/compare-data.ts';
import { comparePage } from '../../../api/explorer/views/compare/compare-page.ts';
import type { FlightData, FullScore } from '../../../api/explorer/views/flight/flight-data.ts';
import type { TripData } from '../../../api/explorer/views/trips/trip-data.ts';
import { round } from '../../../warehouse/ground/numbers.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';

const get = createPageGet();
const json = createJsonGet();
const pageText = async (url: string) => textOf((await get(url)).payload);
const redirectOf = async (url: string) => {
  const { statusCode, headers } = await get(url);
  return [statusCode, headers.location];
};
const percentText = (share: number) => chanceText(share, 'en-GB');

const FLIGHTS = 'JFK-LAX-AA-2026-03-20T07:30,JFK-LAX-B6-2026-03-21,LAX-JFK-AA-2026-03-22T17:00';
const LEGS = 'JFK-LAX-AA-2026-03-20T08:00-11:15,LAX-JFK-AA-2026-03-20T13:00';

test('every figure of a comparison equals the figure of the API', async (t) => {
  const { flights } = (await json(`/explorer/compare?flights=${FLIGHTS}`)) as CompareData;
  const { results } = (await json(
    `/api/score/batch?flights=${FLIGHTS}&include=lineage,outlook,interval,drivers`,
  )) as { results: { result: unknown }[] };
  t.deepEqual(
    flights as unknown[],
    results.map(({ result }) => result),
  );
  const text = await pageText(`/compare?flights=${FLIGHTS}`);
  for (const score of flights) {
    t.true(text.includes(`${score.score} ${score.label}`));
    t.true(text.includes(percentText(chanceOf(score)!.share)));
    t.true(text.includes(score.recommendation));
  }
  t.regex(text, /Late or cancelled( \d+%){3}/);
  t.false(/NaN|undefined/.test(text));
});

test('a comparison names the lowest risk, and says whether the difference may be chance', async (t) => {
  const clear = await pageText(`/compare?flights=${FLIGHTS}`);
  t.regex(
    clear,
    /Lowest risk: .*% late or cancelled\. (The 90% interval of this flight overlaps|The other flights clearly have a higher risk)/,
  );
  const same = 'JFK-LAX-AA-2026-03-20,JFK-LAX-AA-2026-03-20';
  t.true((await pageText(`/compare?flights=${same}`)).includes('may be chance'));
  const one = await pageText('/compare?flights=JFK-LAX-B6-2026-03-20T17:00');
  t.true(one.includes('Add a flight to compare it with this one'));
  t.true((await pageText('/compare')).includes('Enter two to four flights'));
  const unknown = 'AKL-JFK-NZ-2026-03-20,JFK-LAX-AA-2026-03-20';
  t.true((await pageText(`/compare?flights=${unknown}`)).includes('has no delay record'));
});

test('a comparison of two flights speaks of one other flight', async (t) => {
  const { flights } = (await json(`/explorer/compare?flights=${FLIGHTS}`)) as CompareData;
  const flight = flights[0]!;
  const late = (percentage: number): ComparedScore => ({
    ...flight,
    interval: {
      ...flight.interval!,
      ml_probability: { low: percentage - 1, high: percentage + 1 },
    },
    outlook: {
      ...flight.outlook!,
      ...{ from_30_to_60: percentage / 100, from_60_to_120: 0, over_120: 0 },
      ...{ diverted: 0, cancelled: 0 },
    },
  });
  const verdict = (...percentages: number[]) =>
    comparePage.summary({ flights: percentages.map(late), suggestions: [] });
  t.regex(verdict(5, 10), /The other flight clearly has a higher risk: its interval lies above/);
  t.regex(verdict(5, 10, 15), /The other flights clearly have .*: their intervals lie above/);
  t.regex(verdict(5, 6), /overlaps with the interval of another flight/);
});

test('a comparison without a model claims no overlap of intervals', async (t) => {
  const { models, assess } = someDeps();
  const page = await createPageGet({ ...explorerDeps(), models, assess })(
    `/compare?flights=${FLIGHTS}`,
  );
  t.regex(textOf(page.payload), /Lowest risk: .* The 90% interval of at least one flight is/);
});

test('the form of a comparison accepts names, and a refusal keeps the entries', async (t) => {
  t.deepEqual(
    await redirectOf(
      '/compare?origin1=new+york&dest1=los+angeles&airline1=delta&date1=2026-03-20&dep_time1=&origin2=&dest2=&origin3=lax&dest3=jfk&date3=2026-03-22&dep_time3=09:00',
    ),
    [303, '/compare?flights=JFK-LAX-DL-2026-03-20,LAX-JFK-AA-2026-03-22T09:00'],
  );
  const refused = await get('/compare?origin1=JFK&dest1=LAX&origin2=qqqqxx&dest2=LAX');
  t.is(refused.statusCode, 404);
  t.true(refused.payload.includes('Flight 2: No airport matches'));
  t.true(refused.payload.includes('name="origin2" value="qqqqxx"'));
  t.is((await get(`/compare?flights=${FLIGHTS},${FLIGHTS}`)).statusCode, 400);
});

test('every figure of a trip equals the figure of the API', async (t) => {
  for (const more of ['', '&tickets=separate', '&mct=120']) {
    const { answer, shares } = (await json(`/explorer/trip?legs=${LEGS}${more}`)) as TripData;
    t.deepEqual(answer as unknown, await json(`/api/itinerary?legs=${LEGS}${more}`), more);
    const text = await pageText(`/trips?legs=${LEGS}${more}`);
    const { outcome, weakest, legs, connections } = answer!;
    t.true(text.includes(`${percentText(outcome!.missed_connection)} miss a connection`), more);
    t.true(text.includes(`Weakest link: the ${weakest!.kind === 'leg' ? 'flight' : 'connection'}`));
    for (const [at, { origin, destination: dest, airline, ...leg }] of legs.entries()) {
      const { flight_date: date, dep_time, score, label } = leg;
      const alone = await scoreOf(new URLSearchParams({ origin, dest, airline, date, dep_time }));
      t.is(shares[at], alone.share);
      t.true(text.includes(`${percentText(alone.share)} ${score} ${label}`), `${origin} ${dest}`);
    }
    const [first] = connections;
    t.true(
      text.includes(`You have ${first!.planned_min} minutes and need ${first!.minimum_min} (`),
    );
    for (const { probability } of outcome!.late) {
      t.true(text.includes(percentText(probability)), String(probability));
    }
  }
});

test('the form of a trip accepts names, keeps its settings, and asks for missing times', async (t) => {
  const rows = 'origin1=new+york&dest1=lax&airline1=AA&date1=2026-03-20&dep_time1=08:00';
  t.deepEqual(
    await redirectOf(
      `/trips?${rows}&arr_time1=11:15&origin2=lax&dest2=jfk&date2=2026-03-20&dep_time2=13:00&tickets=separate&mct=`,
    ),
    [303, `/trips?legs=${LEGS}&tickets=separate`],
  );
  t.deepEqual(await redirectOf(`/trips?${rows}`), [303, '/trips?legs=JFK-LAX-AA-2026-03-20T08:00']);
  const first = await get('/trips?legs=JFK-LAX-AA-2026-03-20T08:00');
  t.true(first.payload.includes('name="dep_time1" value="08:00"'));
  const refused = await get(`/trips?${rows}&origin2=lax&dest2=jfk`);
  t.is(refused.statusCode, 400);
  t.true(refused.payload.includes('Flight 2: enter the time of departure.'));
  t.true(refused.payload.includes('name="origin2" value="lax"'));
});

test('every figure of the better options equals the figure of the API', async (t) => {
  const flight = 'origin=JFK&dest=LAX&airline=B6&date=2026-03-20&dep_time=17:00';
  const { answer, shares } = (await json(`/explorer/alternatives?${flight}`)) as AlternativesData;
  t.deepEqual(answer as unknown, await json(`/api/alternatives?${flight}&limit=9`));
  const text = await pageText('/flights/JFK-LAX-B6-2026-03-20/alternatives?dep_time=17:00');
  t.true(answer.alternatives.length > 0);
  t.is(shares[0], (await scoreOf(flight)).share);
  for (const [at, { score, saved, ...option }] of answer.alternatives.entries()) {
    const { origin, destination: dest, airline, flight_date: date, dep_time } = option;
    const query = new URLSearchParams({
      origin,
      dest,
      airline,
      date,
      ...(dep_time && { dep_time }),
    });
    const { share, ...scored } = await scoreOf(query);
    t.is(scored.score, score);
    t.is(shares[at + 1], share);
    t.true(
      text.includes(`${percentText(share)} score ${score}, ${saved} points lower`),
      `${query}`,
    );
  }
  t.true(text.includes(`${answer.better} of ${answer.considered} compared flights`));
  const unknown = await pageText('/flights/AKL-JFK-NZ-2026-03-20/alternatives');
  t.true(unknown.includes('This flight has no delay record'));
});

test('the better options of a flight page have percentage and score of the API', async (t) => {
  const flight = 'origin=JFK&dest=LAX&airline=B6&date=2026-03-20&dep_time=17:00';
  const { better, score } = (await json(`/explorer/flight?${flight}`)) as FlightData;
  const text = await pageText('/flights/JFK-LAX-B6-2026-03-20?dep_time=17:00');
  const comparison = await pageText('/compare?flights=JFK-LAX-B6-2026-03-20T17:00');
  t.true(better.length > 0);
  for (const { origin, dest, airline, date, depTime, ...shown } of better) {
    const time = depTime === undefined ? undefined : { dep_time: depTime };
    const scored = await scoreOf(new URLSearchParams({ origin, dest, airline, date, ...time }));
    t.like(shown, scored);
    t.true(scored.score < score.score);
    t.true(text.includes(`${percentText(scored.share)} score ${scored.score} `));
    t.true(
      comparison.includes(
        `: ${percentText(scored.share)} late or cancelled, score ${scored.score}`,
      ),
    );
  }
});

test('a comparison does not suggest a flight that it has, even at another minute of the hour', async (t) => {
  const own = 'JFK-LAX-B6-2026-03-20T17:00';
  const { suggestions } = (await json(`/explorer/compare?flights=${own}`)) as CompareData;
  const option = suggestions.find(({ depTime }) => depTime !== undefined)!;
  const later = flightText({ ...option, depTime: option.depTime!.replace(':00', ':30') });
  const both = (await json(`/explorer/compare?flights=${own},${later}`)) as CompareData;
  t.deepEqual(
    both.suggestions,
    suggestions.filter((one) => one !== option),
  );
});

/** Returns score and probability of a flight, as callers of the API compute them. */
async function scoreOf(query: URLSearchParams | string) {
  const answer = await json(`/api/score?${query}&include=outlook,interval,drivers`);
  const { share } = chanceOf(answer as FullScore)!;
  return { score: (answer as FullScore).score, share: round(share, 4) };
}

test('a flight page leads to its comparison, its trip and all better options', async (t) => {
  const { payload } = await get('/flights/JFK-LAX-B6-2026-03-20?dep_time=17:00');
  t.true(payload.includes('href="/trips?legs=JFK-LAX-B6-2026-03-20T17:00"'));
  t.true(payload.includes('href="/flights/JFK-LAX-B6-2026-03-20/alternatives?dep_time=17:00"'));
  t.regex(payload, /href="\/compare\?flights=JFK-LAX-B6-2026-03-20T17:00,/);
});
