import { expit } from '../ground/log-odds.ts';
import { buildGroups, forEachCell, type Cells, type Groups, type Routes } from './effect-groups.ts';
import { HOUR_KINDS, type EffectKind } from '../store/effect-kinds.ts';
import { correctUnknownHours } from './unknown-hours.ts';

/**
 * Effects of the groups of one kind, in log-odds. An effect is the difference between the delays of a group and the
 * delays that all other kinds predict. `delayed` is the number of delayed flights of each group.
 */
export type Effects = {
  kind: string;
  keys: string[];
  values: Float64Array;
  delayed: Float64Array;
};

/** Effects of every kind, and the resulting log-odds of each cell. */
export type FittedEffects = {
  effects: Effects[];
  logOdds: Float64Array;
  /**
   * Half-year effect of each cell at full season depth. `logOdds` includes this effect multiplied by the season depth
   * of the cell.
   */
  halfYears: Float64Array;
};

/**
 * Number of passes over all kinds. In the first pass, each kind is fitted against the kinds before it; in the second
 * pass, against all other kinds. More passes change almost nothing.
 */
const ROUNDS = 2;

type KindFit = {
  kind: EffectKind;
  groups: Groups;
  /** For each cell, the share of its group's effect that applies to the cell, 0 to 1. */
  shares: Float64Array;
  delayed: Float64Array;
  values: Float64Array;
};

/**
 * Fits the effects of one kind after another. An effect is the log-odds of delay of a group minus the log-odds that all
 * other kinds predict. To shrink the effects, `strength` delays are added to the observed and to the expected delays of
 * each group. The effect of a half-year applies only in part to a month in spring. The cells of such a month therefore
 * also count only in part. Cells are processed in order, so that equal cells give bit-identical effects. The fit is in
 * TypeScript, because a version in SQL had to rewrite the cells about fifty times.
 */
export function fitEffects(
  cells: Cells,
  routes: Routes,
  kinds: readonly EffectKind[],
): FittedEffects {
  const logOdds = cells.logOdds.slice();
  const byHour = new Float64Array(logOdds.length);
  const halfYears = new Float64Array(logOdds.length);
  const fullShares = new Float64Array(logOdds.length).fill(1);
  const fits = kinds.map((kind) =>
    prepareFit(kind, { cells, routes, shares: kind.byHalfYear ? cells.seasonDepth : fullShares }),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const fit of fits) {
      const changes = fitKind(fit, cells.flights, logOdds);
      addTo(logOdds, fit, changes);
      if (HOUR_KINDS.includes(fit.kind.kind)) addTo(byHour, fit, changes);
      if (fit.kind.byHalfYear) addTo(halfYears, { ...fit, shares: fullShares }, changes);
    }
    if (round === 0) {
      correctUnknownHours(cells, routes, byHour).forEach((more, cell) => {
        add(logOdds, cell, more);
      });
    }
  }
  return {
    effects: fits.map(({ kind, groups, values, delayed }) => ({
      kind: kind.kind,
      keys: groups.keys,
      values,
      delayed,
    })),
    logOdds,
    halfYears,
  };
}

type CellsOfKind = { cells: Cells; routes: Routes; shares: Float64Array };

function prepareFit(kind: EffectKind, { cells, routes, shares }: CellsOfKind): KindFit {
  const groups = buildGroups(kind, cells, routes);
  const delayed = new Float64Array(groups.keys.length);
  forEachCell(groups, (cell, group) => {
    add(delayed, group, (shares[cell] as number) * (cells.delayed[cell] as number));
  });
  return { kind, groups, shares, delayed, values: new Float64Array(groups.keys.length) };
}

/** Fits a kind again and returns the changes of its effects. */
function fitKind(
  { kind: { strength }, groups: { groupOfCell }, shares, delayed, values }: KindFit,
  flights: Float64Array,
  logOdds: Float64Array,
): Float64Array {
  const expected = new Float64Array(values.length);
  const shared = new Float64Array(values.length);
  // A callback for each cell (`forEachCell`) would make the fit much slower.
  for (let cell = 0; cell < groupOfCell.length; cell++) {
    const group = groupOfCell[cell] as number;
    if (group < 0) continue;
    const share = shares[cell] as number;
    const rate = expit((logOdds[cell] as number) - share * (values[group] as number));
    const expectedDelays = share * (flights[cell] as number) * rate;
    expected[group] = (expected[group] as number) + expectedDelays;
    shared[group] = (shared[group] as number) + share * expectedDelays;
  }
  const former = values.slice();
  for (const [group, own] of expected.entries()) {
    // The mean share of the group's cells, weighted by expected delays. If no delays are expected, the mean is unknown,
    // and 1 is used.
    const share = own === 0 ? 1 : (shared[group] as number) / own;
    const prior = strength / share;
    values[group] = Math.log(((delayed[group] as number) + prior) / (own + prior)) / share;
  }
  return values.map((value, group) => value - (former[group] as number));
}

function addTo(
  values: Float64Array,
  { groups: { groupOfCell }, shares }: Pick<KindFit, 'groups' | 'shares'>,
  changes: Float64Array,
): void {
  for (let cell = 0; cell < groupOfCell.length; cell++) {
    const group = groupOfCell[cell] as number;
    if (group >= 0) add(values, cell, (shares[cell] as number) * (changes[group] as number));
  }
}

function add(values: Float64Array, at: number, more: number): void {
  values[at] = (values[at] as number) + more;
}
