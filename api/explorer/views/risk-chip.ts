import { riskLabel } from '../../../models/label.ts';
import { chanceText } from './chance-lines.ts';
import { html } from './html.ts';
import { barb, riskClass } from './risk.ts';

/** A risk on a list: its score, and the probability of being late or cancelled (0 to 1; null if unknown). */
export type ListedRisk = {
  score: number;
  share: number | null;
  /** Small print instead of the score and its band. */
  remark?: string;
};

/**
 * Shows a risk in its colour. The text is the probability or, without a probability, the score. The text names the
 * score as such, so that nobody reads it as a percentage.
 */
export function riskChip({ score, share, remark }: ListedRisk, locale: string) {
  const label = riskLabel(score);
  const text = remark ?? (share === null ? label : `${score} ${label}`);
  return html`<span class=${`chip ${riskClass(score)}`}>
    ${barb(label)} <b>${share === null ? `Score ${score}` : chanceText(share, locale)}</b>
    <small>${text}</small>
  </span>`;
}

/** Formats `15% late or cancelled, score 51`. If no probability is known, shows only the score. */
export function riskText(
  { share, score }: Pick<ListedRisk, 'share' | 'score'>,
  locale: string,
): string {
  const chance = share === null ? '' : `${chanceText(share, locale)} late or cancelled, `;
  return `${chance}score ${score}`;
}
