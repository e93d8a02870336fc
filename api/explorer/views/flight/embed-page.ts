import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { averageText, chanceLines } from '../chance-lines.ts';
import { day } from '../format.ts';
import { flightAddress, flightSource } from './address.ts';
import { chanceOf } from './chance.ts';
import { type FlightData, flightOf } from './flight-data.ts';
import { flightPage } from './flight-page.ts';

/** The page that other sites show in a frame: the probability, and a link to the flight's page. */
export const embedPage: Page<FlightData> = {
  path: '/embed/flights/:flight',
  source: ({ params, query }) => flightSource(params['flight'] ?? '', query.get('dep_time')),
  title: flightPage.title,
  summary: flightPage.summary,
  isFramable: true,
  view: (data: FlightData, { locale, site }: Frame) => {
    const { score } = data;
    const { origin_info, dest_info, airline_info, input } = score;
    const chance = chanceOf(score);
    return html`<main class="embed">
      <h1>
        ${`${origin_info.city || input.origin} to ${dest_info.city || input.destination}`}
        <small>${`${airline_info.name}, ${day(input.flight_date, locale)}`}</small>
      </h1>
      ${
        chance
          ? chanceLines(
              {
                share: chance.share,
                ...(chance.interval && { interval: chance.interval }),
                remarks: [averageText(chance.average, locale)],
              },
              locale,
            )
          : html`<p>
              ${score.data_source === 'no_data' ? 'No delay record for this flight.' : `Score ${score.score} of 100, ${score.label}`}
            </p>`
      }
      <p>
        <a href=${site + flightAddress(flightOf(data))} target="_blank" rel="noopener"
          >Details at Headwind</a
        >
      </p>
    </main>`;
  },
};
