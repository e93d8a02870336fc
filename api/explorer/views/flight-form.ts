import { html } from './html.ts';

/** The values to show in the form. */
export type FlightFormValues = {
  origin?: string;
  dest?: string;
  airline?: string;
  date?: string;
  depTime?: string;
  /** Full names, shown below the codes. */
  originName?: string;
  destName?: string;
  airlineName?: string;
  /** First and last day that can be scored. */
  first?: string;
  last?: string;
  /** Airlines that are suggested first: code, name and score. */
  airlines?: readonly (readonly [string, string, number])[];
  /** Name of the invalid field, if any. */
  wrong?: string;
};

/** The form for a flight. It works without script. With script, each change loads the new answer. */
export function flightForm(values: FlightFormValues) {
  const { origin, dest, airline, date, depTime, first, last, wrong, airlines } = values;
  return html`<form class="ask" action="/flights" method="get" data-ask>
    ${codeField({ name: 'origin', title: 'From', value: origin, hint: values.originName, wrong })}
    <button type="button" class="swap" data-swap aria-label="Swap from and to">⇄</button>
    ${codeField({ name: 'dest', title: 'To', value: dest, hint: values.destName, wrong })}
    ${codeField({
      name: 'airline',
      title: 'Airline',
      value: airline,
      hint: values.airlineName,
      wrong,
      airlines,
    })}
    <label class="field">
      <span>Date</span>
      <input type="date" name="date" value=${date} min=${first} max=${last} />
    </label>
    <label class="field">
      <span>Departs at</span>
      <input type="time" name="dep_time" value=${depTime} />
    </label>
    <button type="submit" class="primary">Score</button>
  </form>`;
}

/** Placeholder of the first field in a row. The text is short, because these fields are narrow on a phone. */
const ROW_PLACEHOLDER = 'City or flight';
const PLACEHOLDERS = { origin: 'City, code or flight', dest: 'City or code', airline: 'Any' };

type CodeField = {
  name: 'origin' | 'dest' | 'airline';
  title: string;
  value: string | undefined;
  hint: string | undefined;
  wrong: string | undefined;
  airlines?: FlightFormValues['airlines'];
  /** Number of the flight in a form with several flights. */
  number?: number;
  /** Whether the airports are required. */
  isRequired?: boolean;
};

/** A field for a code or a name. With `data-choices`, the script shows suggestions. */
export function codeField(field: CodeField) {
  const { name, title, value, hint, wrong, airlines, number = '', isRequired = true } = field;
  const kind = name === 'airline' ? 'airlines' : 'airports';
  return html`<label class="field named">
    <span>${title}</span>
    <input
      name=${`${name}${number}`}
      value=${value}
      data-choices=${kind}
      data-first=${airlines && JSON.stringify(airlines)}
      placeholder=${number !== '' && name === 'origin' ? ROW_PLACEHOLDER : PLACEHOLDERS[name]}
      required=${isRequired && kind === 'airports'}
      maxlength="60"
      autocomplete="off"
      autocapitalize="off"
      spellcheck=${false}
      role="combobox"
      aria-expanded="false"
      aria-autocomplete="list"
      aria-controls="choices"
      aria-describedby=${`hint-${name}${number}`}
      aria-invalid=${wrong === name ? 'true' : undefined}
    />
    <small id=${`hint-${name}${number}`}>${hint ?? ' '}</small>
  </label>`;
}
