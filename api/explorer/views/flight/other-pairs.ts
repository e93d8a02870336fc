import { html } from '../html.ts';
import { flightAddress } from './address.ts';
import type { FlightData } from './flight-data.ts';
import { flightOf } from './flight-of.ts';

/** Links to the same flight between other airports of the same cities. */
export function pairsNote(data: FlightData) {
  const flight = flightOf(data);
  if (data.other_pairs.length === 0) return undefined;
  return html`<p class="note">
    Other airports of the same
    cities:${' '}${data.other_pairs.map(
      ({ origin, dest, airline }, at) =>
        html`${at === 0 ? '' : ', '}<a href=${flightAddress({ ...flight, origin, dest, airline })}
            >${origin}–${dest}</a
          >`,
    )}.
  </p>`;
}
