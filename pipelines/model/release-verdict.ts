import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import { describeNarrower } from './coverage.ts';
import { MIN_BLOCKS, MIN_FLIGHTS, type Gain, type HeldOutMonths, type Trial } from './trial.ts';

export type Verdict = { isReleased: boolean; why: string };

/**
 * A gain must exceed this number of standard errors. Between two equally good models, chance alone exceeds this limit
 * once in 30,000 times, slightly more often with few blocks.
 */
const NOISE_ERRORS = 4;

/** Returns a refusal if a rehearsal has too few flights or blocks to measure anything; otherwise undefined. */
export function refuseTooFew({ months, flights, blocks }: HeldOutMonths): Verdict | undefined {
  if (flights >= MIN_FLIGHTS && blocks >= MIN_BLOCKS) return undefined;
  const span = `${formatSpan(months)} (all months except the two oldest)`;
  return flights < MIN_FLIGHTS
    ? refuseFewFlights(span, `${formatCount(flights)} completed flights`)
    : refuseFew('days', span, `flights on ${blocks} days`, `${MIN_BLOCKS} days`);
}

/**
 * Decides on a release. The candidate must beat a constant forecast of the earlier delay rate. On the same flights, the
 * candidate must also beat the released model by more than the noise.
 */
export function judge(trial: Trial): Verdict {
  const { candidate, previous, gain } = trial;
  if (candidate.n < MIN_FLIGHTS) {
    const available = `${formatCount(candidate.n)} completed flights on routes with earlier history`;
    return refuseFewFlights(formatSpan(trial.months), available);
  }
  const sample = `on ${formatCount(candidate.n)} flights of ${formatSpan(trial.months)}`;
  if (!(candidate.skill > 0)) {
    return refuse(
      `${sample}, the model is no better than always forecasting the earlier delay rate (skill ${formatSigned(candidate.skill, 4)})`,
    );
  }
  if (!previous || !gain) {
    const why = `released: ${sample} it has skill ${formatSigned(candidate.skill, 4)}, and no model was released before`;
    return { isReleased: true, why };
  }
  const figures = `its Brier score is ${candidate.brier.toFixed(5)}, the released model's ${previous.brier.toFixed(5)}: ${gainText(gain)}`;
  if (isBeyondNoise(gain)) return { isReleased: true, why: `released: ${sample} ${figures}` };
  return refuse(`${sample} ${figures}${favourText(trial)}`);
}

/**
 * Adjusts the verdict to the coverage of the final model. A model that was trained on materially less of the country
 * may be better in its rehearsal and worse elsewhere, so it is released only with explicit consent.
 */
export function judgeCoverage(
  verdict: Verdict,
  candidate: ModelMetadata['trainedOn'],
  released: ModelMetadata['trainedOn'] | undefined,
  acceptsRegional: boolean,
  command = 'make train',
): Verdict {
  const coverageLoss = verdict.isReleased && released && describeNarrower(candidate, released);
  if (!coverageLoss) return verdict;
  const trialText = verdict.why.replace(/^released: /, '');
  if (acceptsRegional) {
    return { isReleased: true, why: `${verdict.why}; regional, as accepted: ${coverageLoss}` };
  }
  return refuse(
    `regional: ${coverageLoss}, so it may be worse elsewhere. It passed its test: ${trialText}. To release it anyway: ${command} ACCEPT=regional`,
  );
}

function isBeyondNoise({ gain, error }: Gain): boolean {
  return gain > 0 && gain > NOISE_ERRORS * error;
}

function favourText({ seen = [] }: Trial): string {
  return seen.length === 0
    ? ''
    : `; the released model was trained on ${formatSpan(seen)}, which favours it`;
}

function gainText(gain: Gain): string {
  const noise = `${NOISE_ERRORS} standard errors over ${formatCount(gain.blocks)} blocks are ${(NOISE_ERRORS * gain.error).toFixed(5)}`;
  if (gain.gain <= 0) return 'no gain';
  const verdict = isBeyondNoise(gain) ? 'more' : 'not more';
  return `a gain of ${gain.gain.toFixed(5)}, ${verdict} than the noise (${noise})`;
}

function refuseFewFlights(span: string, available: string): Verdict {
  return refuseFew('flights', span, available, formatCount(MIN_FLIGHTS));
}

function refuseFew(unit: string, span: string, available: string, needed: string): Verdict {
  return refuse(
    `too few ${unit} to test the model: ${span} have ${available}, and the test needs ${needed}: load more months`,
  );
}

function refuse(why: string): Verdict {
  return { isReleased: false, why: `not released: ${why}` };
}

function formatSpan(months: string[]): string {
  const [first, last] = [months.at(0), months.at(-1)];
  return first === last ? String(first) : `${first} to ${last}`;
}

function formatCount(number: number): string {
  return number.toLocaleString('en');
}

function formatSigned(number: number, digits: number): string {
  return `${number < 0 ? '' : '+'}${number.toFixed(digits)}`;
}
