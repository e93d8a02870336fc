import { MAX_FLIGHTS, splitFlight } from '../../schemas/flight-text.ts';
import { codeField } from './flight-form.ts';
import { html, type Content } from './html.ts';

/** The values of one row. */
export type FlightRow = {
  origin?: string;
  dest?: string;
  airline?: string;
  date?: string;
  depTime?: string | undefined;
  arrTime?: string | undefined;
};

export type FlightRows = {
  action: string;
  /** The text of the button. */
  submit: string;
  rows: readonly FlightRow[];
  hasArrival?: boolean;
  /** Fields below the rows. */
  settings?: Content;
};

/** A form for up to four flights, which works without script. Rows without airports are ignored. */
export function flightRows({ action, submit, rows, hasArrival = false, settings }: FlightRows) {
  const numbers = Array.from({ length: MAX_FLIGHTS }, (_, at) => at + 1);
  return html`<form class="rows" action=${action} method="get">
    ${numbers.map((number) => {
      // When a flight is removed, the fields of its row must be cleared. An empty value clears a field, but an absent
      // value does not.
      const {
        origin = '',
        dest = '',
        airline = '',
        date = '',
        depTime = '',
        arrTime = '',
      } = rows[number - 1] ?? {};
      const field = (name: 'origin' | 'dest' | 'airline', title: string, value: string) =>
        codeField({
          name,
          title,
          value,
          hint: undefined,
          wrong: undefined,
          number,
          isRequired: number === 1 && name === 'origin',
        });
      return html`<fieldset class="ask">
        <legend>${`Flight ${number}`}</legend>
        ${field('origin', 'From', origin)} ${field('dest', 'To', dest)}
        ${field('airline', 'Airline', airline)}
        <label class="field">
          <span>Date</span>
          <input type="date" name=${`date${number}`} value=${date} />
        </label>
        ${timeField(`dep_time${number}`, 'Departs at', depTime)}
        ${hasArrival && timeField(`arr_time${number}`, 'Arrives at', arrTime)}
      </fieldset>`;
    })}
    <div class="settings">${settings}<button type="submit" class="primary">${submit}</button></div>
  </form>`;
}

function timeField(name: string, title: string, value: string) {
  return html`<label class="field">
    <span>${title}</span>
    <input type="time" name=${name} value=${value} />
  </label>`;
}

/** Converts a flight such as `JFK-LAX-AA-2026-12-20T08:00-11:15` to a row. */
export function rowOfText(text: string): FlightRow {
  const { times, flight, origin, ...others } = splitFlight(text);
  const [depTime, arrTime] = times.split('-');
  return { ...others, origin: flight || origin, depTime, arrTime };
}

/** Returns the rows that a visitor entered, parsed from the address of the page. */
export function enteredRows(query: URLSearchParams): FlightRow[] {
  const texts = query.get('flights') ?? query.get('legs');
  if (texts !== null) return texts.split(',').slice(0, MAX_FLIGHTS).map(rowOfText);
  return Array.from({ length: MAX_FLIGHTS }, (_, at) => {
    const valueOf = (name: string) => query.get(`${name}${at + 1}`) ?? '';
    return {
      ...{ origin: valueOf('origin'), dest: valueOf('dest'), airline: valueOf('airline') },
      ...{ date: valueOf('date'), depTime: valueOf('dep_time'), arrTime: valueOf('arr_time') },
    };
  });
}
