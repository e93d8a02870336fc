import path from 'node:path';
import protobuf from 'protobufjs';

/** The messages of `onnx.proto` that we write and read. */
export type OnnxModel = {
  irVersion: number;
  producerName: string;
  graph: OnnxGraph;
  opsetImport: { domain: string; version: number }[];
  metadataProps: { key: string; value: string }[];
};

export type OnnxGraph = {
  name: string;
  node: OnnxNode[];
  initializer: OnnxTensor[];
  input: OnnxValueInfo[];
  output: OnnxValueInfo[];
};

export type OnnxNode = {
  input: string[];
  output: string[];
  name: string;
  opType: string;
  domain: string;
  attribute: OnnxAttribute[];
};

export type OnnxAttribute = {
  name: string;
  type: number;
  f?: number;
  i?: number;
  s?: Uint8Array;
  floats?: number[];
  ints?: number[];
  strings?: Uint8Array[];
};

export type OnnxTensor = {
  name: string;
  dims: number[];
  dataType: number;
  floatData: number[];
  dataLocation?: number;
};

export type OnnxValueInfo = {
  name: string;
  type: {
    tensorType: {
      elemType: number;
      shape: { dim: { dimValue?: number; dimParam?: string }[] };
    };
  };
};

/** ONNX's type number for 32-bit floats, in tensors and values. */
export const FLOAT = 1;

const PROTO = path.join(import.meta.dirname, 'onnx.proto');
const modelType = protobuf.loadSync(PROTO).lookupType('Model');

/** Encodes a model as an ONNX file; equal models give equal bytes. */
export function encodeModel(model: OnnxModel): Uint8Array {
  return modelType.encode(modelType.fromObject(model)).finish();
}

/**
 * Decodes an ONNX file; fields missing from `onnx.proto` are skipped. Throws when the bytes are not a whole message.
 */
export function decodeModel(bytes: Uint8Array): OnnxModel {
  const message = modelType.decode(bytes);
  return modelType.toObject(message, { longs: Number, arrays: true, defaults: true }) as OnnxModel;
}
