import type { ScoreBody } from '../../../schemas/score.ts';
import { timeAgo, rain, speed, temperature } from '../format.ts';
import { html } from '../html.ts';
import { newsItems } from '../news-items.ts';
import type { Frame } from '../page.ts';
import type { FullScore } from './flight-data.ts';

/** The weather at both airports. */
export function weatherCards({ score }: { score: FullScore }, { locale }: Frame) {
  const { origin_info, dest_info, input, lineage } = score;
  return html`<section class="weather" id="weather">
    <h2>Weather at both airports</h2>
    <div class="pair">
      ${card(`${origin_info.city} (${input.origin})`, score.weather_dep, lineage.weather_dep, locale)}
      ${card(`${dest_info.city} (${input.destination})`, score.weather_arr, lineage.weather_arr, locale)}
    </div>
  </section>`;
}

type Weather = ScoreBody['weather_dep'];
type Basis = FullScore['lineage']['weather_dep'];

function card(place: string, weather: Weather, { basis, age_min }: Basis, locale: string) {
  const { temp, wind, precip, condition } = weather;
  const isKnown = basis !== 'none';
  const values = [
    ['Temperature', temp === null ? undefined : temperature(temp, locale)],
    ['Strongest wind', wind === null ? undefined : speed(wind, locale)],
    ['Wettest hour', precip === null ? undefined : rain(precip, locale)],
  ].filter(([, value]) => value !== undefined);
  return html`<article>
    <h3>${place}</h3>
    <p class="condition">${isKnown ? condition : 'No forecast'}</p>
    ${
      values.length > 0 &&
      html`<dl>
        ${values.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>`
    }
    <p class="note">
      ${basis === 'forecast' && `Forecast${age_min === null ? '' : `, fetched ${timeAgo(age_min, locale)}`}.`}
      ${basis === 'climatology' && 'Typical for the month. Forecasts reach 16 days ahead.'}
      ${!isKnown && 'The score uses typical weather.'}
    </p>
  </article>`;
}

/** News about the flight's airports and airline. */
export function newsList({ score }: { score: FullScore }, { locale }: Frame) {
  const { news, lineage } = score;
  const age = lineage.news.age_min;
  return html`<section class="news" id="news">
    <h2>News affecting this flight</h2>
    ${
      news.length === 0 &&
      html`<p class="note">
        ${
          age === null
            ? 'No news has been fetched yet, so the score ignores news.'
            : `No news from the last seven days affects this flight. Last checked ${timeAgo(age, locale)}.`
        }
      </p>`
    }
    <ul>
      ${newsItems(news, locale, 3)}
    </ul>
  </section>`;
}
