/** `node run-upstream.ts`: a fake upstream in a process of its own, so that it takes no time from the load client. */
import { BAD_FEEDS, BAD_FORECASTS, malformedFeeds } from '../stage/bad-data.ts';
import { fakeUpstream, TROUBLES } from '../stage/fake-upstream.ts';
import { aForecast } from '../stage/forecasts.ts';

/** Sixteen days, as are asked for. */
const HOURS = 16 * 24;
const ITEMS = 40;
const NO_MEASURES =
  '<AIRPORT_STATUS_INFORMATION><Update_Time>now</Update_Time></AIRPORT_STATUS_INFORMATION>';

/** How forecasts, and feeds and the airport status, are answered. */
type Served = { forecast: (good: Forecast[]) => string; feed: (path: string) => string | Buffer };

const WELL: Served = {
  forecast: (good) => JSON.stringify(good),
  feed: (path) => (path === '/nas' ? NO_MEASURES : goodFeed(path)),
};

/** Bad data, a forecast and a feed together: neither waits for the other. */
const badData = badPairs();

const { url, addressIn } = await fakeUpstream({ teardown: () => undefined }, (asked) => {
  const [, which, path = asked.pathname] = /^\/bad\/(\d+)(\/.*)$/.exec(asked.pathname) ?? [];
  const { forecast, feed } = badData[Number(which)]?.[1] ?? WELL;
  return { body: path.startsWith('/forecast') ? forecast(forecasts(asked)) : feed(path) };
});
process.send?.({
  well: url,
  ...Object.fromEntries(TROUBLES.map((one) => [one, addressIn(one)])),
  ...Object.fromEntries(badData.map(([name], at) => [name, `${url}/bad/${at}`])),
});
process.once('disconnect', () => process.exit(0));

function badPairs(): [name: string, served: Served][] {
  const files = malformedFeeds();
  const feeds: [string, Served['feed']][] = [
    ...Object.entries(BAD_FEEDS).map(([name, serve]): [string, Served['feed']] => [name, serve]),
    // Each of the feeds asked for is another file.
    ['malformed', (path) => files[Number(path.match(/\d+$/)?.[0]) % files.length]?.[1] ?? ''],
  ];
  return Object.entries(BAD_FORECASTS).map(([name, forecast], at) => {
    const [feedName, feed] = feeds[at % feeds.length]!;
    return [`${name}; feeds: ${feedName}`, { forecast, feed }];
  });
}

type Forecast = ReturnType<typeof aForecast>;

function forecasts({ searchParams }: URL): Forecast[] {
  const numbers = (name: string) => (searchParams.get(name) ?? '').split(',').map(Number);
  const longitudes = numbers('longitude');
  const from = `${new Date().toISOString().slice(0, 10)}T00:00`;
  return numbers('latitude').map((latitude, at) => {
    const place = { airport: '', latitude, longitude: longitudes[at] ?? 0, timeZone: 'UTC' };
    return aForecast(place, { from, hours: HOURS });
  });
}

/** Strikes in the country of every flight of the bench: each answer has all of them to weigh. */
function goodFeed(name: string): string {
  const items = Array.from({ length: ITEMS }, (_, at) => {
    const title = `Airport strike ${at} in the United States: flights cancelled`;
    const date = new Date().toUTCString();
    return `<item><title>${title}</title><link>https://wire.example${name}/${at}</link><pubDate>${date}</pubDate></item>`;
  });
  return `<rss version="2.0"><channel><title>Wire</title>${items.join('')}</channel></rss>`;
}
