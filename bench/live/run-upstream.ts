/** `node run-upstream.ts`: a fake upstream in a process of its own, so that it takes no time from the load client. */
import { fakeUpstream, TROUBLES } from '../../test/helpers/fake-upstream.ts';
import { aForecast } from '../../test/helpers/forecasts.ts';

/** Sixteen days, as are asked for. */
const HOURS = 16 * 24;
const ITEMS = 40;

const { url, addressIn } = await fakeUpstream({ teardown: () => undefined }, (asked) => {
  if (asked.pathname.startsWith('/forecast')) return { body: JSON.stringify(forecasts(asked)) };
  return { body: feed(asked.pathname) };
});
process.send?.({ well: url, ...Object.fromEntries(TROUBLES.map((one) => [one, addressIn(one)])) });
process.once('disconnect', () => process.exit(0));

function forecasts({ searchParams }: URL) {
  const numbers = (name: string) => (searchParams.get(name) ?? '').split(',').map(Number);
  const longitudes = numbers('longitude');
  const from = `${new Date().toISOString().slice(0, 10)}T00:00`;
  return numbers('latitude').map((latitude, at) => {
    const place = { airport: '', latitude, longitude: longitudes[at] ?? 0, timeZone: 'UTC' };
    return aForecast(place, { from, hours: HOURS });
  });
}

/** Strikes in the country of every flight of the bench: each answer has all of them to weigh. */
function feed(name: string): string {
  const items = Array.from({ length: ITEMS }, (_, at) => {
    const title = `Airport strike ${at} in the United States: flights cancelled`;
    const date = new Date().toUTCString();
    return `<item><title>${title}</title><link>https://wire.example${name}/${at}</link><pubDate>${date}</pubDate></item>`;
  });
  return `<rss version="2.0"><channel><title>Wire</title>${items.join('')}</channel></rss>`;
}
