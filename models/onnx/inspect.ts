import { z } from 'zod';
import {
  decodeModel,
  FLOAT,
  type OnnxGraph,
  type OnnxModel,
  type OnnxValueInfo,
} from './encode.ts';
import { ModelContractError, ModelFileError, ModelShapeError } from './errors.ts';
import { INPUT, METADATA_KEY, OUTPUT } from './graph.ts';
import { modelMetadata, type ModelMetadata } from './metadata.ts';

/** What a model must have been trained for. */
export type Contract = { contract: string; features: readonly string[] };

/**
 * What the file says of itself, and its graph, once it is known to be a model of this service for these features; it is
 * not run. Throws a `ModelRefusedError` otherwise.
 */
export function inspectModel(
  bytes: Uint8Array,
  expected: Contract,
): { metadata: ModelMetadata; graph: OnnxGraph } {
  const model = decoded(bytes);
  checkParts(model);
  const metadata = metadataOf(model);
  checkContract(metadata, expected);
  checkShape(model, expected.features.length);
  return { metadata, graph: model.graph };
}

function decoded(bytes: Uint8Array): OnnxModel {
  try {
    return decodeModel(bytes);
  } catch (cause) {
    throw new ModelFileError(`not a whole ONNX file (${bytes.length} bytes)`, { cause });
  }
}

function checkParts({ graph }: OnnxModel): void {
  if (!graph) throw new ModelFileError('no graph');
  const elsewhere = graph.initializer.find(({ dataLocation }) => dataLocation);
  if (elsewhere) throw new ModelFileError(`${elsewhere.name} is kept in another file`);
}

function metadataOf({ metadataProps }: OnnxModel): ModelMetadata {
  const text = metadataProps.find(({ key }) => key === METADATA_KEY)?.value;
  if (text === undefined) throw new ModelContractError(`no metadata under ${METADATA_KEY}`);
  try {
    return modelMetadata.parse(JSON.parse(text));
  } catch (cause) {
    const detail = cause instanceof z.ZodError ? z.prettifyError(cause) : 'not JSON';
    throw new ModelContractError(`metadata: ${detail}`, { cause });
  }
}

function checkContract(metadata: ModelMetadata, { contract, features }: Contract): void {
  if (metadata.contract === contract) return;
  const [gone, added] = [
    without(metadata.features, features),
    without(features, metadata.features),
  ];
  throw new ModelContractError(
    `trained for contract ${metadata.contract.slice(0, 12)}, this code has ${contract.slice(0, 12)}` +
      ` (no longer known: ${gone}; new: ${added})`,
  );
}

function without(names: readonly string[], others: readonly string[]): string {
  return names.filter((name) => !others.includes(name)).join(', ') || 'none';
}

function checkShape({ graph }: OnnxModel, featureCount: number): void {
  const constants = new Set(graph.initializer.map(({ name }) => name));
  checkValue(
    'input',
    graph.input.filter(({ name }) => !constants.has(name)),
    INPUT,
    featureCount,
  );
  checkValue('output', graph.output, OUTPUT, 1);
}

/** Exactly one value, float32 [N, columns] under its name. */
function checkValue(
  side: 'input' | 'output',
  values: OnnxValueInfo[],
  name: string,
  columns: number,
): void {
  const found = values.map((value) => described(value)).join(', ') || 'none';
  const wanted = `${name} float32 [N, ${columns}]`;
  if (found !== wanted) throw new ModelShapeError(`${side} is ${found}, not ${wanted}`);
}

function described({ name, type }: OnnxValueInfo): string {
  const { elemType, shape } = type?.tensorType ?? {};
  const dims = shape?.dim?.map(({ dimValue, dimParam }) => (dimParam ? 'N' : dimValue)) ?? [];
  return `${name} ${elemType === FLOAT ? 'float32' : `type ${elemType}`} [${dims.join(', ')}]`;
}
