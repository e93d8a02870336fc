import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import { narrowerText } from './coverage.ts';
import { FEWEST_BLOCKS, FEWEST_FLIGHTS, type Gain, type Held, type Trial } from './trial.ts';

export type Verdict = { isReleased: boolean; why: string };

/** Standard errors a gain must exceed: a tie comes out so once in 30,000 times, or a little oftener for few blocks. */
const NOISE_ERRORS = 4;

/** Why no rehearsal on these flights could tell anything; undefined for those on which one can. */
export function tooFewToTell({ months, flights, blocks }: Held): Verdict | undefined {
  if (flights >= FEWEST_FLIGHTS && blocks >= FEWEST_BLOCKS) return undefined;
  const lacking =
    flights < FEWEST_FLIGHTS
      ? `${count(flights)} completed flights in all months but the two oldest, ${count(FEWEST_FLIGHTS - flights)} less than the ${count(FEWEST_FLIGHTS)}`
      : `flights of ${blocks} days in all months but the two oldest, ${FEWEST_BLOCKS - blocks} less than the ${FEWEST_BLOCKS}`;
  return refused(
    `${span(months)} have ${lacking} it takes to tell a better model from luck: load more months`,
  );
}

/**
 * A model is worth its release when it beats always saying the rate of before, and, on the very same flights, the model
 * released so far by more than the noise.
 */
export function judge(trial: Trial): Verdict {
  const { candidate, previous, gain } = trial;
  if (candidate.n < FEWEST_FLIGHTS) {
    return refused(
      `of ${span(trial.months)} ${count(candidate.n)} completed flights are on routes known before, and it takes ${count(FEWEST_FLIGHTS)} to tell a better model from luck: load more months`,
    );
  }
  const on = `on ${count(candidate.n)} flights of ${span(trial.months)}`;
  if (!(candidate.skill > 0)) {
    return refused(
      `${on} its Brier score is no better than always saying the rate of the months before (skill ${signed(candidate.skill, 4)})`,
    );
  }
  if (!previous || !gain) {
    const why = `released: ${on} it has skill ${signed(candidate.skill, 4)}, and none was released before`;
    return { isReleased: true, why };
  }
  const figures = `its Brier score is ${candidate.brier.toFixed(5)}, the released model's ${previous.brier.toFixed(5)}: ${gainText(gain)}`;
  if (isBeyondNoise(gain)) return { isReleased: true, why: `released: ${on} ${figures}` };
  return refused(`${on} ${figures}${favourText(trial)}`);
}

/**
 * The verdict once it is known what the final model learned from: one that knows materially less of the country than
 * the released one may be better where it was tried and worse elsewhere, so that is to be accepted in so many words.
 */
export function judgeBreadth(
  verdict: Verdict,
  candidate: ModelMetadata['trainedOn'],
  released: ModelMetadata['trainedOn'] | undefined,
  acceptsRegional: boolean,
): Verdict {
  const narrower = verdict.isReleased && released && narrowerText(candidate, released);
  if (!narrower) return verdict;
  const tried = verdict.why.replace(/^released: /, '');
  if (acceptsRegional) {
    return { isReleased: true, why: `${verdict.why}; regional, as accepted: ${narrower}` };
  }
  return refused(
    `regional: ${narrower}, so it may be worse elsewhere, although ${tried}. make train ACCEPT=regional releases it all the same`,
  );
}

function isBeyondNoise({ gain, error }: Gain): boolean {
  return gain > 0 && gain > NOISE_ERRORS * error;
}

function favourText({ seen = [] }: Trial): string {
  return seen.length === 0 ? '' : `; the released model has seen ${span(seen)}, which favours it`;
}

function gainText(gain: Gain): string {
  const noise = `${NOISE_ERRORS} standard errors over ${count(gain.blocks)} blocks are ${(NOISE_ERRORS * gain.error).toFixed(5)}`;
  if (gain.gain <= 0) return 'no gain';
  const verdict = isBeyondNoise(gain) ? 'more' : 'not more';
  return `a gain of ${gain.gain.toFixed(5)}, ${verdict} than the noise (${noise})`;
}

function refused(why: string): Verdict {
  return { isReleased: false, why: `not released: ${why}` };
}

function span(months: string[]): string {
  const [first, last] = [months.at(0), months.at(-1)];
  return first === last ? String(first) : `${first} to ${last}`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function signed(number: number, digits: number): string {
  return `${number < 0 ? '' : '+'}${number.toFixed(digits)}`;
}
