import { rain, speed, temperature, timeAgo } from '../format.ts';
import { html, type Content } from '../html.ts';
import { newsItems } from '../news-items.ts';
import type { Frame } from '../page.ts';
import type { TodayData, TodayMeasure } from './today-data.ts';

/** Returns whether the figures use a forecast, an airport status or news. */
export function isAnythingLive({ weather, status, news }: TodayData): boolean {
  const hasStatus = status.is_covered && status.age_min !== null;
  return weather?.basis === 'forecast' || hasStatus || news.age_min !== null;
}

/** Airport status, weather and news, each with its age. */
export function liveSection(data: TodayData, { locale }: Frame) {
  return html`<dl class="live">
    ${entry('Airport status', statusOf(data), locale)}
    ${entry('Weather', weatherOf(data, locale), locale)}
    ${entry('News', newsOf(data, locale), locale)}
  </dl>`;
}

type LiveEntry = {
  text: Content;
  /** Minutes since the last fetch; null if nothing was fetched. */
  ageMin: number | null;
  note: string;
};

function entry(name: string, { text, ageMin, note }: LiveEntry, locale: string) {
  const age = ageMin === null ? 'not live' : `fetched ${timeAgo(ageMin, locale)}`;
  const source = [note, age].filter(Boolean).join(', ');
  return html`<div>
    <dt>${name}</dt>
    <dd>
      ${text}
      <p class="note">${source}</p>
    </dd>
  </div>`;
}

const MEASURES: Record<TodayMeasure['kind'], string> = {
  closure: 'The airport is closed',
  stop: 'Ground stop: flights to this airport may not depart',
  delay: 'Ground delay program: flights to this airport depart later',
  departures: 'Departures are delayed',
  arrivals: 'Arrivals are delayed',
};

function statusOf({ status, airport }: TodayData): LiveEntry {
  const { is_covered, age_min, measures } = status;
  if (!is_covered) {
    const text = html`<p>No status is available for ${airport.iata}.</p>`;
    return { text, ageMin: null, note: 'FAA, for American airports only' };
  }
  if (age_min === null) {
    return { text: html`<p>Unknown</p>`, ageMin: null, note: 'FAA airport status' };
  }
  const text =
    measures.length === 0
      ? html`<p>No closure or delay is in force</p>`
      : measures.map(
          ({ kind, reason }) =>
            html`<p>
              <strong>${MEASURES[kind]}</strong>${reason === '' ? '' : ` (reason: ${reason})`}
            </p>`,
        );
  return { text, ageMin: age_min, note: 'FAA airport status' };
}

function weatherOf({ weather }: TodayData, locale: string): LiveEntry {
  if (!weather || weather.basis === 'none') {
    return { text: html`<p>Unknown</p>`, ageMin: null, note: '' };
  }
  const { condition, temp, wind, precip } = weather.reading;
  const values = [
    temp !== null && temperature(temp, locale),
    wind !== null && `wind up to ${speed(wind, locale)}`,
    precip !== null && `up to ${rain(precip, locale)} of rain or snow an hour`,
  ].filter((one) => typeof one === 'string');
  const isForecast = weather.basis === 'forecast';
  return {
    text: html`<p><strong>${condition}</strong></p>
      ${values.length > 0 && html`<p>${values.join(', ')}</p>`}`,
    ageMin: isForecast ? weather.age_min : null,
    note: isForecast ? 'Forecast for today' : 'Usual weather of the month',
  };
}

function newsOf({ news }: TodayData, locale: string): LiveEntry {
  if (news.age_min === null) {
    return { text: html`<p>No news has been fetched</p>`, ageMin: null, note: '' };
  }
  const text =
    news.items.length === 0
      ? html`<p>No news about the whole airport</p>`
      : html`<ul>
          ${newsItems(news.items.slice(0, MAX_NEWS), locale, 2)}
        </ul>`;
  return { text, ageMin: news.age_min, note: '' };
}

const MAX_NEWS = 3;
