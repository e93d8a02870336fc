import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { aForecast } from './forecasts.ts';
import { sharedData } from './shared-data.ts';

type Forecast = ReturnType<typeof aForecast>;

const DEEP = 100_000;

/** Forecasts that come with 200 and are wrong: by what is wrong, the answer made of good ones. */
export const BAD_FORECASTS = {
  'NaN values': (good) => {
    const bad = good.map((one) => withSeries(one, (values) => values.map(() => '#')));
    return JSON.stringify(bad).replaceAll('"#"', 'NaN');
  },
  'null values': (good) =>
    JSON.stringify(good.map((one) => withSeries(one, (values) => values.map(() => null)))),
  'null temperatures': (good) =>
    JSON.stringify(
      good.map((one) =>
        withSeries(one, (values, name) => (name === 'temperature_2m' ? values.fill(null) : values)),
      ),
    ),
  'missing days': (good) =>
    JSON.stringify(
      good.map(({ hourly, ...rest }) => ({
        ...rest,
        hourly: Object.fromEntries(
          Object.entries(hourly).map(([name, values]) => [name, values.slice(0, 24)]),
        ),
      })),
    ),
  'imperial units': (good) =>
    JSON.stringify(
      good.map((one) => ({
        ...withSeries(one, (values, name) =>
          values.map((value) => (name in IMPERIAL ? IMPERIAL[name]!.of(value ?? 0) : value)),
        ),
        hourly_units: {
          ...one.hourly_units,
          ...Object.fromEntries(Object.entries(IMPERIAL).map(([name, { unit }]) => [name, unit])),
        },
      })),
    ),
  'one unit unlike those asked for': (good) =>
    JSON.stringify(
      good.map((one) => ({
        ...one,
        hourly_units: { ...one.hourly_units, wind_speed_10m: 'm/s' },
      })),
    ),
  'no units': (good) => JSON.stringify(good.map((one) => ({ ...one, hourly_units: {} }))),
  'dates of 1970': (good) => dated(good, '1970'),
  'dates of 2099': (good) => dated(good, '2099'),
  'deep nesting': (good) => '['.repeat(DEEP) + JSON.stringify(good) + ']'.repeat(DEEP),
} satisfies Record<string, (good: Forecast[]) => string>;

export type BadForecast = keyof typeof BAD_FORECASTS;

/** What a provider answers who was asked for, or believes it was asked for, American units. */
const IMPERIAL: Record<string, { unit: string; of: (metric: number) => number }> = {
  temperature_2m: { unit: '°F', of: (celsius) => celsius * 1.8 + 32 },
  wind_speed_10m: { unit: 'mp/h', of: (kmh) => kmh / 1.609_344 },
  wind_gusts_10m: { unit: 'mp/h', of: (kmh) => kmh / 1.609_344 },
  precipitation: { unit: 'inch', of: (mm) => mm / 25.4 },
  snowfall: { unit: 'inch', of: (cm) => cm / 2.54 },
  visibility: { unit: 'ft', of: (m) => m / 0.3048 },
};

/** What every bad feed claims; where it gets through, flights of JFK are at risk. */
const CLAIM = 'Strike closes Kennedy airport, all flights cancelled';

/** Feeds that come with 200 and are bad: by what is bad, the feed. */
export const BAD_FEEDS = {
  'billion laughs': () => {
    const laughs = Array.from(
      { length: 9 },
      (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
    );
    return `<!DOCTYPE rss [<!ENTITY l0 "${CLAIM}">${laughs.join('')}]>${rss({ title: '&l9;' })}`;
  },
  'external entities': () =>
    `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss({ title: `${CLAIM} &x;` })}`,
  'deep nesting': () => rss({ more: '<a>'.repeat(DEEP) + '</a>'.repeat(DEEP) }),
  'javascript: links': () => rss({ link: 'javascript:alert(1)' }),
  'HTML in titles': () =>
    rss({ title: `<![CDATA[<script>alert(1)</script><b>${CLAIM}</b><img src=x onerror=f()>]]>` }),
  'dates of 1970': () => rss({ date: 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  'dates of 2099': () => rss({ date: 'Thu, 01 Jan 2099 00:00:00 GMT' }),
} satisfies Record<string, () => string>;

export type BadFeed = keyof typeof BAD_FEEDS;

/** The feeds of the public test data that are no sound XML, by file name; none where the data is not there. */
export function malformedFeeds(): [file: string, bytes: Buffer][] {
  const folder = sharedData('feeds_malformed');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file))]);
}

function rss({ title = CLAIM, link = 'https://wire.example/1', date = '', more = '' }): string {
  const entry = `<title>${title}</title><link>${link}</link>${date && `<pubDate>${date}</pubDate>`}${more}`;
  return `<rss version="2.0"><channel><title>Wire</title><item>${entry}</item></channel></rss>`;
}

function withSeries(
  forecast: Forecast,
  change: (values: (number | null)[], name: string) => unknown[],
) {
  const { time, ...series } = forecast.hourly;
  const changed = Object.entries(series).map(([name, values]) => [name, change(values, name)]);
  return { ...forecast, hourly: { time, ...Object.fromEntries(changed) } };
}

function dated(good: Forecast[], year: string): string {
  const inYear = (time: string[]) => time.map((hour) => `${year}${hour.slice(4)}`);
  return JSON.stringify(
    good.map(({ hourly, ...rest }) => ({
      ...rest,
      hourly: { ...hourly, time: inYear(hourly.time) },
    })),
  );
}
