import { DOUBLE, FLOAT, type OnnxModel, type OnnxNode, type OnnxValueInfo } from './encode.ts';
import { ModelContractError, ModelFileError, ModelShapeError } from './errors.ts';
import { INPUT, ML_DOMAIN, OUTPUT } from './graph.ts';

/** One input of a model that runs in ONNX Runtime. */
export type RuntimeInput = {
  name: string;
  type: 'float32' | 'float64';
  /** Positions of the features in our rows, in the order of the input's columns. */
  columns: number[];
  /** Whether the input has the shape [N, columns]; otherwise it is [N]. */
  isMatrix: boolean;
};

/** Inputs and output with which ONNX Runtime runs a model on our rows of features. */
export type RuntimeSpec = {
  inputs: RuntimeInput[];
  /** The output with the probabilities; if it has two columns, `positive` is the column of delayed flights. */
  output: { name: string; positive: 0 | 1 };
};

/** The spec of an imported model, and the changes that its file needs. */
export type ForeignSpec = {
  spec: RuntimeSpec;
  /** Names of the features that the model uses, in our order. */
  inputs: string[];
  /** An output that must be added to the graph, because ONNX Runtime for Node cannot return lists of maps (ZipMap). */
  addedOutput: OnnxValueInfo[];
};

/** Metadata key under which a model lists the column names of its matrix: a JSON list, or names separated by commas. */
const FEATURE_NAMES_KEY = 'feature_names';

/** The newest versions of operators that ONNX Runtime 1.30 runs. `ai.onnx` is the full name of the default domain. */
const MAX_OPSETS: Record<string, number> = { '': 24, 'ai.onnx': 24, [ML_DOMAIN]: 5 };
const MIN_OPSET = 7;

/** Returns the spec of a model that this code wrote. */
export function ownSpec(featureCount: number): RuntimeSpec {
  const columns = Array.from({ length: featureCount }, (_, at) => at);
  return {
    inputs: [{ name: INPUT, type: 'float32', columns, isMatrix: true }],
    output: { name: OUTPUT, positive: 1 },
  };
}

/**
 * Returns the spec with which ONNX Runtime runs a model that was trained elsewhere. Throws a `ModelRefusedError` if the
 * model cannot run on these features.
 */
export function specOf(model: OnnxModel, features: readonly string[]): ForeignSpec {
  checkOpsets(model);
  const inputs = inputsOf(model, features);
  const used = new Set(inputs.flatMap(({ columns }) => columns));
  const { output, added } = outputOf(model);
  return {
    spec: { inputs, output },
    inputs: features.filter((_, at) => used.has(at)),
    addedOutput: added,
  };
}

function checkOpsets({ opsetImport }: OnnxModel): void {
  for (const { domain, version } of opsetImport) {
    const max = MAX_OPSETS[domain];
    if (max === undefined) {
      throw new ModelFileError(`the ONNX operators of the domain ${domain} are not supported`);
    }
    const min = domain === ML_DOMAIN ? 1 : MIN_OPSET;
    if (version < min || version > max) {
      throw new ModelFileError(
        `opset ${version} of ${domain || 'ai.onnx'} is not supported, only ${min} to ${max}`,
      );
    }
  }
}

/** Finds the inputs. A model has one input for each feature, or a matrix whose column names are in the metadata. */
function inputsOf(
  { graph, metadataProps }: OnnxModel,
  features: readonly string[],
): RuntimeInput[] {
  const constants = new Set(graph.initializer.map(({ name }) => name));
  const values = graph.input.filter(({ name }) => !constants.has(name));
  const names = metadataProps.find(({ key }) => key === FEATURE_NAMES_KEY)?.value;
  const [first] = values;
  if (!first) throw new ModelShapeError('the model has no input');
  const isPerFeature = values.length > 1 || (names === undefined && features.includes(first.name));
  if (isPerFeature) return values.map((value) => inputOf(value, [value.name], features));
  if (names !== undefined) return [inputOf(first, parseNames(names), features)];
  throw new ModelContractError(
    `input ${first.name} is not a feature; if it is a matrix, list its columns under ${FEATURE_NAMES_KEY} in the metadata`,
  );
}

function inputOf(value: OnnxValueInfo, names: string[], features: readonly string[]): RuntimeInput {
  const unknown = names.filter((name) => !features.includes(name));
  if (unknown.length > 0 || new Set(names).size < names.length) {
    throw new ModelContractError(
      unknown.length > 0
        ? `unknown features: ${unknown.join(', ')}; make model-rows lists the features`
        : `a feature occurs twice: ${names.join(', ')}`,
    );
  }
  const { elemType, dims } = tensorOf(value);
  const [, width = 1] = dims ?? [];
  const hasShape =
    dims !== undefined && (dims.length === 2 || (dims.length === 1 && names.length === 1));
  // A width of 0 means that the file does not fix the width.
  if (
    (elemType !== FLOAT && elemType !== DOUBLE) ||
    !hasShape ||
    (width !== 0 && width !== names.length)
  ) {
    throw new ModelShapeError(
      `input ${value.name} is ${describeTensor(value)}, expected float32 or float64 [N, ${names.length}]`,
    );
  }
  return {
    name: value.name,
    type: elemType === FLOAT ? 'float32' : 'float64',
    columns: names.map((name) => features.indexOf(name)),
    isMatrix: dims.length === 2,
  };
}

function parseNames(text: string): string[] {
  try {
    const names: unknown = JSON.parse(text);
    if (Array.isArray(names)) return names.map(String);
  } catch {
    // The text is not JSON, so it is a list of names separated by commas.
  }
  return text.split(',').map((name) => name.trim());
}

/** Finds the output with the probabilities. If this output is a ZipMap, returns the tensor that the ZipMap converts. */
function outputOf({ graph }: OnnxModel): Pick<RuntimeSpec, 'output'> & { added: OnnxValueInfo[] } {
  const zipMap = graph.node.find(
    ({ opType, output }) =>
      opType === 'ZipMap' && graph.output.some(({ name }) => name === output[0]),
  );
  if (zipMap) {
    const [name = ''] = zipMap.input;
    const isOutput = graph.output.some((one) => one.name === name);
    const shape = { dim: [{ dimParam: 'N' }, { dimValue: 2 }] };
    const added = { name, type: { tensorType: { elemType: FLOAT, shape } } };
    return { output: { name, positive: positiveClass(zipMap) }, added: isOutput ? [] : [added] };
  }
  const candidates = graph.output.filter((value) => {
    const { elemType, dims } = tensorOf(value);
    const isFloat = elemType === FLOAT || elemType === DOUBLE;
    return (
      isFloat &&
      (dims === undefined || dims.length <= 1 || (dims.length === 2 && (dims[1] ?? 0) <= 2))
    );
  });
  const named = candidates.filter(({ name }) => /prob/i.test(name));
  const [only, another] = named.length > 0 ? named : candidates;
  if (!only || another) {
    const outputs = graph.output.map((value) => `${value.name} ${describeTensor(value)}`);
    throw new ModelShapeError(
      `outputs are ${outputs.join(', ') || 'none'}; expected one output of probabilities: float [N], [N, 1] or [N, 2]`,
    );
  }
  return { output: { name: only.name, positive: 1 }, added: [] };
}

/** Returns the column of delayed flights among the two classes of a ZipMap. */
function positiveClass({ attribute }: OnnxNode): 0 | 1 {
  const labels = attribute.flatMap(({ ints = [], strings = [] }) => [
    ...ints.map(String),
    ...strings.map((one) => Buffer.from(one).toString().toLowerCase()),
  ]);
  const at = labels.findIndex((label) => label === '1' || label === 'true');
  if (labels.length !== 2 || at === -1) {
    throw new ModelShapeError(
      `the classes are ${labels.join(', ') || 'unknown'}; expected 0 and 1, where 1 is a delayed flight`,
    );
  }
  return at === 0 ? 0 : 1;
}

function tensorOf({ type }: OnnxValueInfo): { elemType?: number; dims?: number[] } {
  const { elemType, shape } = type?.tensorType ?? {};
  const dims = shape?.dim?.map(({ dimValue }) => dimValue ?? 0);
  return { ...(elemType !== undefined && { elemType }), ...(dims && { dims }) };
}

function describeTensor(value: OnnxValueInfo): string {
  const { elemType, dims } = tensorOf(value);
  const types: Record<number, string> = { [FLOAT]: 'float32', [DOUBLE]: 'float64' };
  return elemType === undefined
    ? 'no tensor'
    : `${types[elemType] ?? `type ${elemType}`} [${dims?.map((dim) => dim || 'N').join(', ') ?? ''}]`;
}
