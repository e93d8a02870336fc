import { percent } from './format.ts';
import { html } from './html.ts';

/** The probability of being late or cancelled, as a share from 0 to 1. */
export type ShownChance = {
  share: number;
  interval?: { level: number; low: number; high: number };
  /** Remarks in small print, such as the probability of an average flight. */
  remarks: string[];
};

/** Shows a percentage in large letters, with its interval and remarks beside it. */
export function chanceLines({ share, interval, remarks }: ShownChance, locale: string) {
  return html`<p class="chance">
    <b>${chanceText(share, locale)}</b>
    <span>
      <strong>late or cancelled</strong>
      ${interval && html`<span>${`likely ${rangeText(interval, locale)} (${percent(interval.level, locale, 0)} interval)`}</span>`}
      ${remarks.map((one) => html`<span>${one}</span>`)}
    </span>
  </p>`;
}

/** Formats `17%`. Shares below one percent get one decimal. */
export function chanceText(share: number, locale: string): string {
  return percent(share, locale, share < 0.01 ? 1 : 0);
}

/** Names the probability of the average flight in the record, which pages show for comparison. */
export function averageText(share: number, locale: string): string {
  return `average flight on all routes: ${chanceText(share, locale)}`;
}

/** Formats `13–21%`. If both ends round to the same percentage, only that one is shown. */
export function rangeText({ low, high }: { low: number; high: number }, locale: string): string {
  const [from, to] = [chanceText(low, locale), chanceText(high, locale)];
  return from === to ? from : `${from.replace(/\s?%/, '')}–${to}`;
}
