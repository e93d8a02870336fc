import { expit } from '../../warehouse/ground/log-odds.ts';
import type { OnnxGraph, OnnxNode } from './encode.ts';
import { ModelFileError } from './errors.ts';
import { INPUT, OUTPUT } from './graph.ts';
import { treeSum, type RowValue } from './trees.ts';

/** Outputs of the nodes evaluated so far, by name. */
type NodeOutputs = {
  featureCount: number;
  constants: Map<string, Float32Array>;
  /** Names of the outputs that mark missing features. */
  masks: Set<string>;
  /** Values that replace missing features. */
  filled: Map<string, Float32Array>;
  values: Map<string, RowValue>;
};

/**
 * Converts a graph made of the blocks in `blocks.ts` into a function of a row, in double precision. Each node may only
 * use the outputs of earlier nodes, so a cycle is impossible. Throws a `ModelFileError` for nodes that our writer never
 * writes.
 */
export function buildEvaluator({ node, initializer }: OnnxGraph, featureCount: number): RowValue {
  const outputs: NodeOutputs = {
    featureCount,
    constants: new Map(
      initializer.map(({ name, floatData }) => [name, Float32Array.from(floatData)]),
    ),
    masks: new Set(),
    filled: new Map(),
    values: new Map(),
  };
  for (const one of node) evaluateNode(one, outputs);
  return valueOf(OUTPUT, outputs);
}

/** Evaluates a node and stores its output. */
function evaluateNode(node: OnnxNode, outputs: NodeOutputs): void {
  const [first = '', second = '', third = ''] = node.input;
  const [name = ''] = node.output;
  const { constants, masks, filled, values, featureCount } = outputs;
  switch (node.opType) {
    case 'IsNaN':
      if (first !== INPUT) throw unsupportedNode(node);
      masks.add(name);
      return;
    case 'Where': {
      const fill = constants.get(second);
      if (!masks.has(first) || third !== INPUT || !isRow(fill, featureCount)) {
        throw unsupportedNode(node);
      }
      filled.set(name, fill);
      return;
    }
    case 'MatMul': {
      const [fill, weights] = [filled.get(first), constants.get(second)];
      if (!fill || !isRow(weights, featureCount)) throw unsupportedNode(node);
      values.set(name, weightedSum(weights, fill));
      return;
    }
    case 'TreeEnsembleRegressor':
      if (first !== INPUT) throw unsupportedNode(node);
      values.set(name, treeSum(node.attribute, featureCount));
      return;
    case 'Add': {
      const [a, b] = [valueOf(first, outputs), valueOf(second, outputs)];
      values.set(name, (rows, from) => a(rows, from) + b(rows, from));
      return;
    }
    case 'Sigmoid': {
      const logOdds = valueOf(first, outputs);
      values.set(name, (rows, from) => expit(logOdds(rows, from)));
      return;
    }
    case 'Identity':
      values.set(name, valueOf(first, outputs));
      return;
    default:
      throw new ModelFileError(`operator ${node.opType} is not supported`);
  }
}

function valueOf(name: string, { values, constants }: NodeOutputs): RowValue {
  const value = values.get(name);
  if (value) return value;
  const [constant, ...rest] = constants.get(name) ?? [];
  if (constant === undefined || rest.length > 0) {
    throw new ModelFileError(`${name} does not have exactly one number per row`);
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
      const value = rows[from + at] as number;
      sum += (weights[at] as number) * (Number.isNaN(value) ? (fill[at] as number) : value);
    }
    return sum;
  };
}

function unsupportedNode({ name, opType }: OnnxNode): ModelFileError {
  return new ModelFileError(`${opType} ${name} has unsupported inputs`);
}
