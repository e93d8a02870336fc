/**
 * `node run-upstream.ts`: runs a fake upstream in a separate process, so that the upstream takes no time from the load
 * client.
 */
import { BAD_FEEDS, BAD_FORECASTS, malformedFeeds } from '../stage/bad-data.ts';
import { fakeUpstream, FAULTS } from '../stage/fake-upstream.ts';
import { buildForecast } from '../stage/forecasts.ts';

/** Number of hours in a forecast: 16 days, as the worker requests them. */
const HOURS = 16 * 24;
const ITEMS = 40;
const NO_MEASURES =
  '<AIRPORT_STATUS_INFORMATION><Update_Time>now</Update_Time></AIRPORT_STATUS_INFORMATION>';

/** Answers to two kinds of requests: for forecasts, and for feeds and the airport status. */
type Answers = { forecast: (good: Forecast[]) => string; feed: (path: string) => string | Buffer };

const HEALTHY: Answers = {
  forecast: (good) => JSON.stringify(good),
  feed: (path) => (path === '/nas' ? NO_MEASURES : buildFeed(path)),
};

/** Kinds of bad data. Each kind has a bad forecast and a bad feed, which are independent of each other. */
const badData = badPairs();

const { url, faultUrl } = await fakeUpstream({ teardown: () => undefined }, (requestUrl) => {
  const [, badIndex, path = requestUrl.pathname] =
    /^\/bad\/(\d+)(\/.*)$/.exec(requestUrl.pathname) ?? [];
  const { forecast, feed } = badData[Number(badIndex)]?.[1] ?? HEALTHY;
  return { body: path.startsWith('/forecast') ? forecast(buildForecasts(requestUrl)) : feed(path) };
});
process.send?.({
  healthy: url,
  ...Object.fromEntries(FAULTS.map((trouble) => [trouble, faultUrl(trouble)])),
  ...Object.fromEntries(badData.map(([name], at) => [name, `${url}/bad/${at}`])),
});
process.once('disconnect', () => process.exit(0));

function badPairs(): [name: string, served: Answers][] {
  const files = malformedFeeds();
  const feeds: [string, Answers['feed']][] = [
    ...Object.entries(BAD_FEEDS).map(([name, serve]): [string, Answers['feed']] => [name, serve]),
    // Gives each feed address a different file.
    ['malformed', (path) => files[Number(path.match(/\d+$/)?.[0]) % files.length]?.[1] ?? ''],
  ];
  return Object.entries(BAD_FORECASTS).map(([name, forecast], at) => {
    const [feedName, feed] = feeds[at % feeds.length]!;
    return [`${name}; feeds: ${feedName}`, { forecast, feed }];
  });
}

type Forecast = ReturnType<typeof buildForecast>;

function buildForecasts({ searchParams }: URL): Forecast[] {
  const numbers = (name: string) => (searchParams.get(name) ?? '').split(',').map(Number);
  const longitudes = numbers('longitude');
  const from = `${new Date().toISOString().slice(0, 10)}T00:00`;
  return numbers('latitude').map((latitude, at) => {
    const place = { airport: '', latitude, longitude: longitudes[at] ?? 0, timeZone: 'UTC' };
    return buildForecast(place, { from, hours: HOURS });
  });
}

/**
 * Builds a feed with strikes in the country of all the bench's flights, so that each score must take all strikes into
 * account.
 */
function buildFeed(name: string): string {
  const items = Array.from({ length: ITEMS }, (_, at) => {
    const title = `Airport strike ${at} in the United States: flights cancelled`;
    const date = new Date().toUTCString();
    return `<item><title>${title}</title><link>https://wire.example${name}/${at}</link><pubDate>${date}</pubDate></item>`;
  });
  return `<rss version="2.0"><channel><title>Wire</title>${items.join('')}</channel></rss>`;
}
