import { expit } from '../ground/log-odds.ts';
import { groupsOf, type Cells, type Groups, type Routes } from './effect-groups.ts';
import { HOUR_KINDS, type EffectKind } from '../store/effect-kinds.ts';
import { unknownHours } from './unknown-hours.ts';

/** Log-odds by which the groups of a kind are delayed more often than all other kinds expect. */
export type Effects = { kind: string; keys: string[]; values: Float64Array };

/** The effects of every kind, and what they make each cell expected to have. */
export type Fitted = {
  effects: Effects[];
  logOdds: Float64Array;
  /** Of each cell what its half-year adds where the season is deepest; `logOdds` has its part of that. */
  halfYears: Float64Array;
};

/** A kind is first fitted given those before it, then given all; further rounds change hardly anything. */
const ROUNDS = 2;

type KindFit = {
  kind: EffectKind;
  groups: Groups;
  /** How much of its group's effect each cell has. */
  shares: Float64Array;
  delayed: Float64Array;
  values: Float64Array;
};

/**
 * Fits kind after kind: by how much the log-odds of delay of its groups differ from what all other kinds expect, pulled
 * toward no difference as if `strength` more delays had been expected and had come. Where a cell has but a share of the effect
 * of its group, as a month in spring of summer's, it counts by that share. In the order of the cells, so that the
 * same cells give the same effects to the last bit.
 * A loop over numbers and no SQL: statement by statement the cells were written anew some fifty times.
 */
export function fitEffects(cells: Cells, routes: Routes, kinds: readonly EffectKind[]): Fitted {
  const logOdds = cells.logOdds.slice();
  const byHour = new Float64Array(logOdds.length);
  const halfYears = new Float64Array(logOdds.length);
  const whole = new Float64Array(logOdds.length).fill(1);
  const fits = kinds.map((kind) =>
    fitOf(kind, { cells, routes, shares: kind.byHalfYear ? cells.seasonDepth : whole }),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const fit of fits) {
      const changes = fitKind(fit, cells.flights, logOdds);
      addTo(logOdds, fit, changes);
      if (HOUR_KINDS.includes(fit.kind.kind)) addTo(byHour, fit, changes);
      if (fit.kind.byHalfYear) addTo(halfYears, { ...fit, shares: whole }, changes);
    }
    if (round === 0) {
      unknownHours(cells, routes, byHour).forEach((more, cell) => {
        add(logOdds, cell, more);
      });
    }
  }
  return {
    effects: fits.map(({ kind, groups, values }) => ({
      kind: kind.kind,
      keys: groups.keys,
      values,
    })),
    logOdds,
    halfYears,
  };
}

type CellsOfKind = { cells: Cells; routes: Routes; shares: Float64Array };

function fitOf(kind: EffectKind, { cells, routes, shares }: CellsOfKind): KindFit {
  const groups = groupsOf(kind, cells, routes);
  const delayed = new Float64Array(groups.keys.length);
  eachOf(groups, (cell, group) => {
    add(delayed, group, (shares[cell] as number) * (cells.delayed[cell] as number));
  });
  return { kind, groups, shares, delayed, values: new Float64Array(groups.keys.length) };
}

/** Fits a kind anew and returns by how much its effects changed. */
function fitKind(
  { kind: { strength }, groups, shares, delayed, values }: KindFit,
  flights: Float64Array,
  logOdds: Float64Array,
): Float64Array {
  const expected = new Float64Array(values.length);
  const shared = new Float64Array(values.length);
  eachOf(groups, (cell, group) => {
    const share = shares[cell] as number;
    const rate = expit((logOdds[cell] as number) - share * (values[group] as number));
    const own = share * (flights[cell] as number) * rate;
    add(expected, group, own);
    add(shared, group, share * own);
  });
  const former = values.slice();
  for (const [group, own] of expected.entries()) {
    // Of an effect as much shows as its cells have of it on average; of one that none has, nothing does.
    const share = own === 0 ? 1 : (shared[group] as number) / own;
    const prior = strength / share;
    values[group] = Math.log(((delayed[group] as number) + prior) / (own + prior)) / share;
  }
  return values.map((value, group) => value - (former[group] as number));
}

function addTo(
  values: Float64Array,
  { groups, shares }: Pick<KindFit, 'groups' | 'shares'>,
  changes: Float64Array,
): void {
  eachOf(groups, (cell, group) => {
    add(values, cell, (shares[cell] as number) * (changes[group] as number));
  });
}

/** Goes over the cells that are in a group. */
function eachOf({ ofCell }: Groups, visit: (cell: number, group: number) => void): void {
  for (let cell = 0; cell < ofCell.length; cell++) {
    const group = ofCell[cell] as number;
    if (group >= 0) visit(cell, group);
  }
}

function add(values: Float64Array, at: number, more: number): void {
  values[at] = (values[at] as number) + more;
}
