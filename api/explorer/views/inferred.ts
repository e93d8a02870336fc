import type { InferredBody } from './brands-data.ts';
import { percent } from './format.ts';
import { html } from './html.ts';

/** Sign in texts and pictures for figures that are based on inferred brands. */
export const INFERRED_SIGN = '≈';

/** The sign `≈` with an explanation, as a tooltip and for screen readers; undefined if no brand is inferred. */
export function inferredMark(inferred: InferredBody, locale: string) {
  if (!inferred) return undefined;
  const text = inferredText(inferred, locale);
  return html`<span class="inferred" role="img" aria-label=${text} title=${text}
    >${INFERRED_SIGN}</span
  >`;
}

/** Names the inferred share of a figure: `For 90% of these flights …`. */
export function inferredText({ share, confidence }: NonNullable<InferredBody>, locale: string) {
  const part =
    share > 0.995 ? 'For these flights' : `For ${percent(share, locale, 0)} of these flights`;
  return `${part}, the record names only the airline that operated them. We estimate the airline on the ticket; about ${percent(confidence, locale, 0)} of the estimates should be right.`;
}

type BrandField = { brand: { inferred_share: number; confidence: number } | null };

/** Converts the field `brand` of an API answer to an `InferredBody`. */
export function toInferred(brand: BrandField['brand']): InferredBody {
  return brand && { share: brand.inferred_share, confidence: brand.confidence };
}

/** The legend of the sign `≈`, for flights from an API answer; empty if no flight has the sign. */
export function inferredLegend(flights: readonly BrandField[]): string {
  return inferredNote(flights.map(({ brand }) => ({ inferred: toInferred(brand) }))).trim();
}

/** The legend of the sign `≈`, with a leading space; empty if no item has the sign. */
export function inferredNote(items: readonly { inferred?: InferredBody }[]): string {
  return items.some(({ inferred }) => inferred)
    ? ` ${INFERRED_SIGN}: the airline on the ticket is estimated, because some records name only the airline that flew the aircraft.`
    : '';
}
