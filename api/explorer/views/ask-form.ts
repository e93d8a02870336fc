import { html } from './html.ts';

/** What of a flight is asked for already. */
export type Asked = {
  origin?: string;
  dest?: string;
  airline?: string;
  date?: string;
  depTime?: string;
  /** Names beneath the codes. */
  originName?: string;
  destName?: string;
  airlineName?: string;
  /** First and last day that can be asked for. */
  first?: string;
  last?: string;
  /** Airlines to offer first: code, name and score. */
  airlines?: readonly (readonly [string, string, number])[];
  /** The parameter that was refused. */
  wrong?: string;
};

/** The question every page of a flight begins with. It works as a plain form; a browser with script asks at each change. */
export function askForm(asked: Asked) {
  const { origin, dest, airline, date, depTime, first, last, wrong, airlines } = asked;
  return html`<form class="ask" action="/flights" method="get" data-ask>
    ${codeField({ name: 'origin', title: 'From', value: origin, hint: asked.originName, wrong })}
    <button type="button" class="swap" data-swap aria-label="Swap from and to">⇄</button>
    ${codeField({ name: 'dest', title: 'To', value: dest, hint: asked.destName, wrong })}
    ${codeField({
      name: 'airline',
      title: 'Airline',
      value: airline,
      hint: asked.airlineName,
      wrong,
      airlines,
    })}
    <label class="field">
      <span>Date</span>
      <input type="date" name="date" value=${date} min=${first} max=${last} />
    </label>
    <label class="field">
      <span>Leaves at</span>
      <input type="time" name="dep_time" value=${depTime} />
    </label>
    <button type="submit" class="primary">Score</button>
  </form>`;
}

type CodeField = {
  name: 'origin' | 'dest' | 'airline';
  title: string;
  value: string | undefined;
  hint: string | undefined;
  wrong: string | undefined;
  airlines?: Asked['airlines'];
};

/** A code to type or to find by name; `data-choices` has the browser offer what fits. */
function codeField({ name, title, value, hint, wrong, airlines }: CodeField) {
  const kind = name === 'airline' ? 'airlines' : 'airports';
  return html`<label class="field named">
    <span>${title}</span>
    <input
      name=${name}
      value=${value}
      data-choices=${kind}
      data-first=${airlines && JSON.stringify(airlines)}
      placeholder=${kind === 'airlines' ? 'Any' : 'City or code'}
      required=${kind === 'airports'}
      maxlength="60"
      autocomplete="off"
      autocapitalize="off"
      spellcheck=${false}
      role="combobox"
      aria-expanded="false"
      aria-autocomplete="list"
      aria-controls="choices"
      aria-describedby=${`hint-${name}`}
      aria-invalid=${wrong === name ? 'true' : undefined}
    />
    <small id=${`hint-${name}`}>${hint ?? ' '}</small>
  </label>`;
}
