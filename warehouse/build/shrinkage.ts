/**
 * Distribution of the true effects of a kind: a mixture of normal distributions around 0 with the standard deviations
 * of `DEVIATIONS`. Most groups hardly differ, and a few differ much. A single normal distribution would shrink these
 * few too much.
 */
export type Mixture = { weights: Float64Array };

/** Standard deviations of the components, in log-odds. */
const DEVIATIONS = [0.02, 0.08, 0.2, 0.5, 1];

/**
 * Weights of the components before any data is seen. They have as much influence as the data of `PRIOR_GROUPS` groups.
 */
const PRIOR_WEIGHTS = [0.3, 0.4, 0.2, 0.08, 0.02];
const PRIOR_GROUPS = 5;

/**
 * Steps of expectation maximisation per call. Each call starts with the weights of the call before, so the weights
 * converge.
 */
const STEPS = 12;

export function startMixture(): Mixture {
  return { weights: Float64Array.from(PRIOR_WEIGHTS) };
}

/**
 * Shrinks measured effects toward 0 by empirical Bayes (Stephens, False discovery rates: a new deal, 2017). With
 * `learn`, first estimates how much the groups differ. A group with infinite variance has no data, and its effect is 0.
 */
export function shrink(
  raw: Float64Array,
  variances: Float64Array,
  mixture: Mixture,
  learn: boolean,
): { values: Float64Array; spreads: Float64Array } {
  const width = DEVIATIONS.length;
  const densities = densitiesOf(raw, variances);
  if (learn) learnWeights(densities, variances, mixture);
  const values = new Float64Array(raw.length);
  const spreads = new Float64Array(raw.length);
  for (let group = 0; group < raw.length; group++) {
    const noise = variances[group] as number;
    let [total, mean, square] = [0, 0, 0];
    for (let at = 0; at < width; at++) {
      const prior = (DEVIATIONS[at] as number) ** 2;
      const share = noise === Infinity ? 0 : prior / (prior + noise);
      const posterior = noise === Infinity ? prior : share * noise;
      const centre = share * (raw[group] as number);
      const weight = (mixture.weights[at] as number) * (densities[group * width + at] as number);
      total += weight;
      mean += weight * centre;
      square += weight * (posterior + centre * centre);
    }
    values[group] = mean / total;
    spreads[group] = Math.sqrt(Math.max(0, square / total - (mean / total) ** 2));
  }
  return { values, spreads };
}

/**
 * Returns the density of the measured effect for each group and component. Each density is relative to the largest
 * density of its group.
 */
function densitiesOf(raw: Float64Array, variances: Float64Array): Float64Array {
  const width = DEVIATIONS.length;
  const densities = new Float64Array(raw.length * width).fill(1);
  for (let group = 0; group < raw.length; group++) {
    const noise = variances[group] as number;
    if (noise === Infinity) continue;
    let best = -Infinity;
    for (let at = 0; at < width; at++) {
      const total = noise + (DEVIATIONS[at] as number) ** 2;
      const density = -0.5 * (Math.log(total) + (raw[group] as number) ** 2 / total);
      densities[group * width + at] = density;
      best = Math.max(best, density);
    }
    for (let at = 0; at < width; at++) {
      const place = group * width + at;
      densities[place] = Math.exp((densities[place] as number) - best);
    }
  }
  return densities;
}

/** Estimates the weights of the components by expectation maximisation. */
function learnWeights(densities: Float64Array, variances: Float64Array, mixture: Mixture): void {
  const width = DEVIATIONS.length;
  for (let step = 0; step < STEPS; step++) {
    const sums = Float64Array.from(PRIOR_WEIGHTS, (weight) => PRIOR_GROUPS * weight);
    let groups = PRIOR_GROUPS;
    for (let group = 0; group < variances.length; group++) {
      if (variances[group] === Infinity) continue;
      groups += 1;
      let total = 0;
      for (let at = 0; at < width; at++) {
        total += (mixture.weights[at] as number) * (densities[group * width + at] as number);
      }
      for (let at = 0; at < width; at++) {
        const part = (mixture.weights[at] as number) * (densities[group * width + at] as number);
        sums[at] = (sums[at] as number) + part / total;
      }
    }
    mixture.weights.set(sums.map((value) => value / groups));
  }
}
