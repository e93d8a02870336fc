import type { Figures } from '../../models/evaluate/metrics.ts';

/** Figures of a candidate and of the released model on the newest months, which the candidate has not seen. */
export type Trial = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  candidate: Figures;
  /** Absent when no model is released, or it does not fit this code. It may have seen the months. */
  previous?: Figures;
};

export type Verdict = { isReleased: boolean; why: string };

/** A model is released when it beats always saying the rate of before, and the model released so far. */
export function judge({ months, candidate, previous }: Trial): Verdict {
  if (candidate.n === 0) {
    return {
      isReleased: false,
      why: `not released: no completed flight of ${months.at(0)} to ${months.at(-1)} is on a route known before`,
    };
  }
  const on = `on ${candidate.n.toLocaleString('en')} flights of ${months.at(0)} to ${months.at(-1)}`;
  if (!(candidate.skill > 0)) {
    return {
      isReleased: false,
      why: `not released: ${on} its Brier score is no better than always saying the rate of the months before (skill ${signed(candidate.skill)})`,
    };
  }
  if (previous && candidate.brier >= previous.brier) {
    return {
      isReleased: false,
      why: `not released: ${on} its Brier score ${candidate.brier.toFixed(5)} does not beat the released model's ${previous.brier.toFixed(5)}`,
    };
  }
  const beaten = previous
    ? `beats the released model's Brier score (${candidate.brier.toFixed(5)} against ${previous.brier.toFixed(5)})`
    : `has skill ${signed(candidate.skill)}, and none was released before`;
  return { isReleased: true, why: `released: ${on} it ${beaten}` };
}

function signed(skill: number): string {
  return `${skill < 0 ? '' : '+'}${skill.toFixed(4)}`;
}
