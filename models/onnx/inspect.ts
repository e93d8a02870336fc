import { z } from 'zod';
import {
  decodeModel,
  extendModel,
  FLOAT,
  type OnnxGraph,
  type OnnxModel,
  type OnnxValueInfo,
} from './encode.ts';
import { ModelContractError, ModelFileError, ModelShapeError } from './errors.ts';
import { INPUT, METADATA_KEY, OUTPUT } from './graph.ts';
import { modelMetadata, type ModelMetadata } from './metadata.ts';
import { ownSpec, specOf, type ForeignSpec, type RuntimeSpec } from './runtime-spec.ts';

/** The feature contract and the features a model must have. */
export type Contract = { contract: string; features: readonly string[] };

export type Inspection = {
  metadata: ModelMetadata;
  graph: OnnxGraph;
  /** Inputs and output with which ONNX Runtime runs the model. */
  spec: RuntimeSpec;
};

/**
 * Checks that the file is a model for these features and returns its metadata and graph, without running it. An
 * imported model needs only the features that it uses. Throws a `ModelRefusedError` for any other file.
 */
export function inspectModel(bytes: Uint8Array, expected: Contract): Inspection {
  const model = decode(bytes);
  checkParts(model);
  const metadata = metadataOf(model);
  const { graph } = model;
  if (metadata.imported) return { metadata, graph, spec: specOf(model, expected.features).spec };
  checkContract(metadata, expected);
  checkShape(model, expected.features.length);
  return { metadata, graph, spec: ownSpec(expected.features.length) };
}

/**
 * Checks a file that was made elsewhere, without running it. `wrap` adds our metadata to the file. Throws a
 * `ModelRefusedError` if its opset, inputs or outputs are not supported.
 */
export function inspectForeign(
  bytes: Uint8Array,
  { features }: Contract,
): ForeignSpec & { wrap: (metadata: ModelMetadata) => Uint8Array } {
  const model = decode(bytes);
  checkParts(model);
  if (model.metadataProps.some(({ key }) => key === METADATA_KEY)) {
    throw new ModelContractError(
      'Headwind wrote this file, or changed it during an earlier import. Import the original file.',
    );
  }
  const foreign = specOf(model, features);
  const wrap = (metadata: ModelMetadata) =>
    extendModel(bytes, {
      metadataProps: [{ key: METADATA_KEY, value: JSON.stringify(metadata) }],
      output: foreign.addedOutput,
    });
  return { ...foreign, wrap };
}

function decode(bytes: Uint8Array): OnnxModel {
  try {
    return decodeModel(bytes);
  } catch (cause) {
    throw new ModelFileError(`not a complete ONNX file (${bytes.length} bytes)`, { cause });
  }
}

function checkParts({ graph }: OnnxModel): void {
  if (!graph) throw new ModelFileError('no graph');
  const externalTensor = graph.initializer.find(({ dataLocation }) => dataLocation);
  if (externalTensor) throw new ModelFileError(`${externalTensor.name} is stored in another file`);
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
  const [removedNames, newNames] = [
    namesMissingFrom(metadata.features, features),
    namesMissingFrom(features, metadata.features),
  ];
  throw new ModelContractError(
    `trained for contract ${metadata.contract.slice(0, 12)}, but this code has contract ${contract.slice(0, 12)}` +
      ` (features only in the model: ${removedNames}; features only in this code: ${newNames})`,
  );
}

function namesMissingFrom(names: readonly string[], referenceNames: readonly string[]): string {
  return names.filter((name) => !referenceNames.includes(name)).join(', ') || 'none';
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

/** Checks that there is exactly one value, float32 [N, columns], with this name. */
function checkValue(
  side: 'input' | 'output',
  values: OnnxValueInfo[],
  name: string,
  columns: number,
): void {
  const actualText = values.map((value) => describeValue(value)).join(', ') || 'none';
  const expectedText = `${name} float32 [N, ${columns}]`;
  if (actualText !== expectedText) {
    throw new ModelShapeError(`${side} is ${actualText}, expected ${expectedText}`);
  }
}

function describeValue({ name, type }: OnnxValueInfo): string {
  const { elemType, shape } = type?.tensorType ?? {};
  const dims = shape?.dim?.map(({ dimValue, dimParam }) => (dimParam ? 'N' : dimValue)) ?? [];
  return `${name} ${elemType === FLOAT ? 'float32' : `type ${elemType}`} [${dims.join(', ')}]`;
}
