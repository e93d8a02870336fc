import { flightRows, type FlightRow } from '../flight-rows.ts';
import { html } from '../html.ts';
import type { TripSettings } from './trip-data.ts';

/** The form with these flights in its rows. */
export function tripForm(rows: readonly FlightRow[], { tickets, mct }: TripSettings) {
  return flightRows({
    ...{ action: '/trips', submit: 'Check the trip', rows, hasArrival: true },
    settings: html`<label class="setting">
        <span>Tickets</span>
        <select name="tickets">
          <option value="one" selected=${tickets === 'one'}>one ticket</option>
          <option value="separate" selected=${tickets === 'separate'}>separate tickets</option>
        </select>
      </label>
      <label class="setting">
        <span>Minutes you need to connect</span>
        <input
          name="mct"
          value=${mct ?? undefined}
          inputmode="numeric"
          pattern="[0-9]{1,3}"
          placeholder="our assumption"
        />
      </label>`,
  });
}
