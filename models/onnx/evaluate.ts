import { expit } from '../../warehouse/ground/log-odds.ts';
import type { OnnxGraph, OnnxNode } from './encode.ts';
import { ModelFileError } from './errors.ts';
import { INPUT, OUTPUT } from './graph.ts';
import type { RowValue } from './row-value.ts';
import { treeSum } from './trees.ts';

/** What the nodes of a graph have made so far, by name. */
type Made = {
  featureCount: number;
  constants: Map<string, Float32Array>;
  /** Whether a feature is missing. */
  masks: Set<string>;
  /** The features with these in place of those that are missing. */
  filled: Map<string, Float32Array>;
  values: Map<string, RowValue>;
};

/**
 * A graph of the blocks of `blocks.ts` as a function: what it answers to a row, in double precision. In the order of its
 * nodes, so that none can wait for itself. Throws a `ModelFileError` for whatever our writer does not write.
 */
export function evaluator({ node, initializer }: OnnxGraph, featureCount: number): RowValue {
  const made: Made = {
    featureCount,
    constants: new Map(
      initializer.map(({ name, floatData }) => [name, Float32Array.from(floatData)]),
    ),
    masks: new Set(),
    filled: new Map(),
    values: new Map(),
  };
  for (const one of node) make(one, made);
  return valueOf(OUTPUT, made);
}

/** Adds what the node makes. */
function make(node: OnnxNode, made: Made): void {
  const [first = '', second = '', third = ''] = node.input;
  const [name = ''] = node.output;
  const { constants, masks, filled, values, featureCount } = made;
  switch (node.opType) {
    case 'IsNaN':
      if (first !== INPUT) throw foreign(node);
      masks.add(name);
      return;
    case 'Where': {
      const fill = constants.get(second);
      if (!masks.has(first) || third !== INPUT || !isRow(fill, featureCount)) throw foreign(node);
      filled.set(name, fill);
      return;
    }
    case 'MatMul': {
      const [fill, weights] = [filled.get(first), constants.get(second)];
      if (!fill || !isRow(weights, featureCount)) throw foreign(node);
      values.set(name, weightedSum(weights, fill));
      return;
    }
    case 'TreeEnsembleRegressor':
      if (first !== INPUT) throw foreign(node);
      values.set(name, treeSum(node.attribute, featureCount));
      return;
    case 'Add': {
      const [a, b] = [valueOf(first, made), valueOf(second, made)];
      values.set(name, (rows, from) => a(rows, from) + b(rows, from));
      return;
    }
    case 'Sigmoid': {
      const logOdds = valueOf(first, made);
      values.set(name, (rows, from) => expit(logOdds(rows, from)));
      return;
    }
    case 'Identity':
      values.set(name, valueOf(first, made));
      return;
    default:
      throw new ModelFileError(`operator ${node.opType} is none of ours`);
  }
}

function valueOf(name: string, { values, constants }: Made): RowValue {
  const value = values.get(name);
  if (value) return value;
  const [constant, ...more] = constants.get(name) ?? [];
  if (constant === undefined || more.length > 0) {
    throw new ModelFileError(`${name} is no number for each row`);
  }
  return () => constant;
}

function isRow(values: Float32Array | undefined, featureCount: number): values is Float32Array {
  return values?.length === featureCount;
}

function weightedSum(weights: Float32Array, fill: Float32Array): RowValue {
  return (rows, from) => {
    let sum = 0;
    for (let at = 0; at < weights.length; at++) {
      const given = rows[from + at] as number;
      sum += (weights[at] as number) * (Number.isNaN(given) ? (fill[at] as number) : given);
    }
    return sum;
  };
}

function foreign({ name, opType }: OnnxNode): ModelFileError {
  return new ModelFileError(`${name} is no ${opType} of ours`);
}
