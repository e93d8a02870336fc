import { flightCount, month } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { routeAddress } from '../places/addresses.ts';
import { type FlightData, flightOf } from './flight-data.ts';
import { flightAddress } from './address.ts';

/** Commands that load the flights of a country, by the country's name. */
const COMMANDS: Readonly<Record<string, string>> = {
  Brazil: 'make backfill PROVIDER=anac FROM=2021-01 TO=2021-12 PUBLISH=1',
  'United Kingdom': 'make backfill PROVIDER=caa FROM=2018 TO=2025 PUBLISH=1',
};

/** Returns the command that loads the flights of one of these countries. */
export function commandFor(countries: readonly string[]): string {
  return countries.map((country) => COMMANDS[country]).find(Boolean) ?? 'make ingest';
}

/**
 * Explains in plain words that the history has no flights on the route. The command that loads flights is folded,
 * because only operators need it.
 */
export function noRecord(data: FlightData, { locale }: Frame) {
  const { score } = data;
  const { origin_info, dest_info, input } = score;
  const names = `${input.origin} to ${input.destination}`;
  return html`<section class="answer" aria-label="The answer">
    <div class="verdict">
      <p class="chance"><strong>No delay record for this flight</strong></p>
      <p class="odds">
        Headwind has no records of flights from ${names}, so no probability can be given.
      </p>
      ${pairsNote(data, 'advice')}
      <p class="advice">
        ${
          data.covering_country === null
            ? 'Headwind knows the flights of some countries only.'
            : `Flights from both airports are on record (${data.covering_country}), but none between them. Either no airline flies this route non-stop, or the record leaves it out.`
        }
        ${' '}<a href="/coverage">Countries on record</a>
      </p>
      <p class="advice">
        The score of this flight, ${score.score} of 100, is only a rough guess, because it has no
        record.
      </p>
      ${
        data.elsewhere.length > 0 &&
        html`<p class="advice">Related flights on record:</p>
          <ul>
            ${data.elsewhere.map(({ name, flights, late_share, source }) => {
              const late = Math.round(100 * late_share);
              return html`<li>
                ${`${name}: ${late} in 100 flights were more than 30 minutes late (${flightCount(flights, locale)}; source: ${source})`}
              </li>`;
            })}
          </ul>`
      }
      ${data.covering_country === null && operatorDetails([origin_info.country, dest_info.country])}
    </div>
  </section>`;
}

function operatorDetails(countries: readonly string[]) {
  return html`<details>
    <summary>For administrators of this server</summary>
    <p class="advice">
      This command loads flight records: <code>${commandFor(countries)}</code>. Files and settings
      are described in <code>docs/providers.md</code>.
    </p>
  </details>`;
}

/** Explains that the airline has left the route; undefined if it still flies there or never did. */
export function formerText(data: FlightData, { locale }: Frame) {
  const { airline, origin, dest } = flightOf(data);
  const own = data.rivals.find((one) => one.airline === airline);
  if (!own || own.is_current) return undefined;
  const since = own.record
    ? ` Its last flight in the record was in ${month(own.record.last, locale)}.`
    : '';
  return html`<p class="advice">
    ${`${own.airline_name} no longer flies this route.${since}`} ${' '}<a
      href=${routeAddress(origin, dest)}
      >Current airlines</a
    >
  </p>`;
}

/** Links to the same flight between other airports of the same cities. */
export function pairsNote(data: FlightData, style: 'note' | 'advice' = 'note') {
  const flight = flightOf(data);
  if (data.other_pairs.length === 0) return undefined;
  return html`<p class=${style}>
    Other airports of the same
    cities:${' '}${data.other_pairs.map(
      ({ origin, dest, airline }, at) =>
        html`${at === 0 ? '' : ', '}<a href=${flightAddress({ ...flight, origin, dest, airline })}
            >${origin}–${dest}</a
          >`,
    )}.
  </p>`;
}
