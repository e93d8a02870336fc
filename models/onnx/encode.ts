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

/** ONNX's type numbers for 32-bit and 64-bit floats, in tensors and values. */
export const FLOAT = 1;
export const DOUBLE = 11;

const PROTO = path.join(import.meta.dirname, 'onnx.proto');
const types = protobuf.loadSync(PROTO);
const modelType = types.lookupType('Model');
const graphType = types.lookupType('Graph');

/** Number of the field `graph` in `Model`. */
const GRAPH_FIELD = 7;

/** Encodes a model as an ONNX file; equal models give equal bytes. */
export function encodeModel(model: OnnxModel): Uint8Array {
  return modelType.encode(modelType.fromObject(model)).finish();
}

/**
 * Adds metadata and graph outputs to an ONNX file. All other bytes stay unchanged, even in fields that our `onnx.proto`
 * does not have.
 */
export function extendModel(
  bytes: Uint8Array,
  added: { metadataProps: OnnxModel['metadataProps']; output: OnnxValueInfo[] },
): Uint8Array {
  const outputs = graphType.encode(graphType.fromObject({ output: added.output })).finish();
  const metadata = modelType.encode(modelType.fromObject({ metadataProps: added.metadataProps }));
  const reader = protobuf.Reader.create(bytes);
  const parts: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const tag = reader.uint32();
    if (tag >>> 3 === GRAPH_FIELD) {
      const graph = Buffer.concat([reader.bytes(), outputs]);
      parts.push(protobuf.Writer.create().uint32(tag).bytes(graph).finish());
    } else {
      reader.skipType(tag & 7);
      parts.push(bytes.subarray(from, reader.pos));
    }
  }
  // The added entries are appended to the file: protobuf allows the entries of a repeated field anywhere in a message.
  return Buffer.concat([...parts, metadata.finish()]);
}

/**
 * Decodes an ONNX file; fields missing from `onnx.proto` are skipped. Throws when the bytes are not a whole message.
 */
export function decodeModel(bytes: Uint8Array): OnnxModel {
  const message = modelType.decode(bytes);
  return modelType.toObject(message, { longs: Number, arrays: true, defaults: true }) as OnnxModel;
}
