import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { buildForecast } from './forecasts.ts';
import { sharedData } from './shared-data.ts';

type Forecast = ReturnType<typeof buildForecast>;

const DEEP = 100_000;

/** Bad forecasts, sent with status 200. Each function makes a bad answer from good forecasts. */
export const BAD_FORECASTS = {
  'NaN values': (good) => {
    const bad = good.map((forecast) => withSeries(forecast, (values) => values.map(() => '#')));
    return JSON.stringify(bad).replaceAll('"#"', 'NaN');
  },
  'null values': (good) =>
    JSON.stringify(
      good.map((forecast) => withSeries(forecast, (values) => values.map(() => null))),
    ),
  'null temperatures': (good) =>
    JSON.stringify(
      good.map((forecast) =>
        withSeries(forecast, (values, name) =>
          name === 'temperature_2m' ? values.fill(null) : values,
        ),
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
      good.map((forecast) => ({
        ...withSeries(forecast, (values, name) =>
          values.map((value) => (name in IMPERIAL ? IMPERIAL[name]!.convert(value ?? 0) : value)),
        ),
        hourly_units: {
          ...forecast.hourly_units,
          ...Object.fromEntries(Object.entries(IMPERIAL).map(([name, { unit }]) => [name, unit])),
        },
      })),
    ),
  'one other unit': (good) =>
    JSON.stringify(
      good.map((forecast) => ({
        ...forecast,
        hourly_units: { ...forecast.hourly_units, wind_speed_10m: 'm/s' },
      })),
    ),
  'no units': (good) => JSON.stringify(good.map((forecast) => ({ ...forecast, hourly_units: {} }))),
  'dates of 1970': (good) => moveToYear(good, '1970'),
  'dates of 2099': (good) => moveToYear(good, '2099'),
  'deep nesting': (good) => '['.repeat(DEEP) + JSON.stringify(good) + ']'.repeat(DEEP),
} satisfies Record<string, (good: Forecast[]) => string>;

export type BadForecast = keyof typeof BAD_FORECASTS;

/** The units of a provider that answers in American units. */
const IMPERIAL: Record<string, { unit: string; convert: (metric: number) => number }> = {
  temperature_2m: { unit: '°F', convert: (celsius) => celsius * 1.8 + 32 },
  wind_speed_10m: { unit: 'mp/h', convert: (kmh) => kmh / 1.609_344 },
  wind_gusts_10m: { unit: 'mp/h', convert: (kmh) => kmh / 1.609_344 },
  precipitation: { unit: 'inch', convert: (mm) => mm / 25.4 },
  snowfall: { unit: 'inch', convert: (cm) => cm / 2.54 },
  visibility: { unit: 'ft', convert: (m) => m / 0.3048 },
};

/**
 * The story in every bad feed. If a bad feed is accepted, flights from JFK get an event risk, which shows the mistake.
 */
const CLAIM = 'Strike closes Kennedy airport, all flights cancelled';

/** Bad feeds, sent with status 200. */
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

/** Returns the malformed feeds of the public test data with their file names; empty if the data is missing. */
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

function moveToYear(good: Forecast[], year: string): string {
  const inYear = (time: string[]) => time.map((hour) => `${year}${hour.slice(4)}`);
  return JSON.stringify(
    good.map(({ hourly, ...rest }) => ({
      ...rest,
      hourly: { ...hourly, time: inYear(hourly.time) },
    })),
  );
}
