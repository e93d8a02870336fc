import { encodeModel, FLOAT, type OnnxAttribute, type OnnxGraph } from './encode.ts';

/** Name of a tensor in the graph. */
export type Value = string;

/** Attributes of a node; a single number is an integer. */
export type Attributes = Record<string, string | string[] | number | number[] | Float32Array>;

/** A graph under construction; the blocks of `blocks.ts` add to it. */
export type Graph = {
  /** The features, one row per flight. */
  input: Value;
  featureCount: number;
  /** Adds a node and returns its output. */
  node: (op: string, inputs: Value[], attributes?: Attributes, domain?: string) => Value;
  /** Adds a constant with the shape `dims` and returns it. */
  constant: (values: Iterable<number>, dims: number[]) => Value;
  /** Encodes the graph as an ONNX file with `probability` as output and the metadata under the key `headwind`. */
  bytes: (probability: Value, metadata: object) => Uint8Array;
};

/** Name of the input, float32 [N, features]. */
export const INPUT = 'features';

/** Name of the output, float32 [N, 1]. */
export const OUTPUT = 'probability';

/** Key of our metadata in the file. */
export const METADATA_KEY = 'headwind';

/** Domain of tree ensembles. */
export const ML_DOMAIN = 'ai.onnx.ml';

const IR_VERSION = 8;
const OPSETS = [
  { domain: '', version: 17 },
  { domain: ML_DOMAIN, version: 3 },
];

/** Creates an empty graph over rows of features; the same blocks in the same order give the same bytes. */
export function createGraph(featureCount: number): Graph {
  const content: OnnxGraph = { name: 'headwind', node: [], initializer: [], input: [], output: [] };
  const nextName = (kind: string) => `${kind}_${content.node.length + content.initializer.length}`;
  return {
    input: INPUT,
    featureCount,
    node: (opType, input, attributes = {}, domain = '') => {
      const name = nextName(opType);
      const attribute = Object.entries(attributes).map(([key, value]) => attributeOf(key, value));
      content.node.push({ input, output: [name], name, opType, domain, attribute });
      return name;
    },
    constant: (values, dims) => {
      const name = nextName('constant');
      content.initializer.push({ name, dims, dataType: FLOAT, floatData: [...values] });
      return name;
    },
    bytes: (probability, metadata) =>
      encodeModel({
        irVersion: IR_VERSION,
        producerName: 'headwind',
        graph: {
          ...content,
          node: [...content.node, outputNode(probability)],
          input: [valueInfo(INPUT, featureCount)],
          output: [valueInfo(OUTPUT, 1)],
        },
        opsetImport: OPSETS,
        metadataProps: [{ key: METADATA_KEY, value: JSON.stringify(metadata) }],
      }),
  };
}

function outputNode(value: Value): OnnxGraph['node'][number] {
  return {
    input: [value],
    output: [OUTPUT],
    name: OUTPUT,
    opType: 'Identity',
    domain: '',
    attribute: [],
  };
}

function valueInfo(name: string, columns: number): OnnxGraph['input'][number] {
  const shape = { dim: [{ dimParam: 'N' }, { dimValue: columns }] };
  return { name, type: { tensorType: { elemType: FLOAT, shape } } };
}

/** ONNX's type numbers for attributes. */
const TYPES = { int: 2, string: 3, floats: 6, ints: 7, strings: 8 } as const;

function attributeOf(name: string, value: Attributes[string]): OnnxAttribute {
  if (typeof value === 'number') return { name, type: TYPES.int, i: value };
  if (typeof value === 'string') return { name, type: TYPES.string, s: Buffer.from(value) };
  if (value instanceof Float32Array) return { name, type: TYPES.floats, floats: [...value] };
  const texts = value.filter((one) => typeof one === 'string');
  if (texts.length > 0) {
    return { name, type: TYPES.strings, strings: texts.map((text) => Buffer.from(text)) };
  }
  return { name, type: TYPES.ints, ints: value as number[] };
}
