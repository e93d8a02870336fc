import { html } from './html.ts';

/** The flag of a country, as decoration beside its name; nothing if the code of the country is unknown. */
export function flagImage(countryCode: string | undefined) {
  return (
    countryCode !== undefined &&
    countryCode !== '' &&
    html`<img
      class="flag"
      src=${`/explorer/flags/${countryCode}.svg`}
      alt=""
      width="21"
      height="14"
      loading="lazy"
    />`
  );
}
