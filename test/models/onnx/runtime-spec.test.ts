import test from 'ava';
import { encodeModel, type OnnxModel, type OnnxValueInfo } from '../../../models/onnx/encode.ts';
import { inspectForeign, inspectModel } from '../../../models/onnx/inspect.ts';
import { openModel } from '../../../models/onnx/model.ts';
import { ModelRefusedError } from '../../../models/onnx/errors.ts';
import { aForeignFile, anImportedFile } from '../helpers/foreign.ts';
import { CURRENT_CONTRACT, someModel } from '../helpers/model.ts';

/** A tensor [N, columns], or [N] without columns. */
function tensor(name: string, columns?: number, elemType = 1): OnnxValueInfo {
  const dims = columns === undefined ? [] : [{ dimValue: columns }];
  return { name, type: { tensorType: { elemType, shape: { dim: [{ dimParam: 'N' }, ...dims] } } } };
}

const names = (list: string) => [{ key: 'feature_names', value: list }];

/** A graph without nodes, which is enough to inspect a file. */
function aFile(changes: Partial<OnnxModel> & Partial<OnnxModel['graph']>): Uint8Array {
  const { node = [], input = [], output = [tensor('probability', 1)], ...model } = changes;
  return encodeModel({
    irVersion: 8,
    producerName: 'test',
    graph: { name: 'g', node, initializer: [], input, output },
    opsetImport: [{ domain: '', version: 17 }],
    metadataProps: [],
    ...model,
  });
}

const inspect = (changes: Parameters<typeof aFile>[0]) =>
  inspectForeign(aFile(changes), CURRENT_CONTRACT);

test('inputs are features as columns or vectors, in any order and of either float type', (t) => {
  const { spec, inputs } = inspect({
    input: [tensor('dep_hour', 1, 11), tensor('carrier_effect'), tensor('month_odds', 1)],
  });
  t.deepEqual(spec.inputs, [
    { name: 'dep_hour', type: 'float64', columns: [24], isMatrix: true },
    { name: 'carrier_effect', type: 'float32', columns: [13], isMatrix: false },
    { name: 'month_odds', type: 'float32', columns: [0], isMatrix: true },
  ]);
  t.deepEqual(inputs, ['month_odds', 'carrier_effect', 'dep_hour']);
});

test('a matrix has the names of its columns in the metadata, as a JSON list or with commas', (t) => {
  for (const list of ['["dep_hour","month_odds"]', 'dep_hour, month_odds']) {
    const { spec } = inspect({ input: [tensor('X', 2)], metadataProps: names(list) });
    t.deepEqual(spec.inputs, [{ name: 'X', type: 'float32', columns: [24, 0], isMatrix: true }]);
  }
});

test('the probability is a column, the second of two columns, or the tensor of a ZipMap', (t) => {
  const input = [tensor('dep_hour', 1)];
  const outputOf = (changes: object) => inspect({ input, ...changes }).spec.output;
  t.deepEqual(outputOf({ output: [tensor('out')] }), { name: 'out', positive: 1 });
  t.deepEqual(outputOf({ output: [tensor('label', undefined, 7), tensor('p', 2)] }), {
    name: 'p',
    positive: 1,
  });
  const zipMap = (ints: number[]) => ({
    output: [tensor('maps')],
    node: [
      {
        ...{ input: ['raw'], output: ['maps'], name: 'z', opType: 'ZipMap', domain: 'ai.onnx.ml' },
        attribute: [{ name: 'classlabels_int64s', type: 7, ints }],
      },
    ],
  });
  t.deepEqual(outputOf(zipMap([0, 1])), { name: 'raw', positive: 1 });
  t.deepEqual(outputOf(zipMap([1, 0])), { name: 'raw', positive: 0 });
  t.throws(() => outputOf(zipMap([0, 1, 2])), {
    message: /the classes are 0, 1, 2; expected 0 and 1/,
  });
});

test('other files are refused with the reason', (t) => {
  const input = [tensor('dep_hour', 1)];
  const refused: [reason: RegExp, changes: Parameters<typeof aFile>[0]][] = [
    [/^unknown features: wind; make model-rows lists/, { input: [tensor('wind', 1), ...input] }],
    [/^input X is not a feature; if it is a matrix, list its columns/, { input: [tensor('X', 2)] }],
    [
      /^a feature occurs twice/,
      { input: [tensor('X', 2)], metadataProps: names('dep_hour,dep_hour') },
    ],
    [/expected float32 or float64 \[N, 1\]/, { input: [tensor('dep_hour', 3)] }],
    [/^input dep_hour is type 7 \[N, 1\]/, { input: [tensor('dep_hour', 1, 7)] }],
    [/^the model has no input/, {}],
    [
      /^opset 99 of ai.onnx is not supported, only 7 to/,
      { input, opsetImport: [{ domain: '', version: 99 }] },
    ],
    [
      /^the ONNX operators of the domain com.other are not/,
      { input, opsetImport: [{ domain: 'com.other', version: 1 }] },
    ],
    [
      /^outputs are a float32 \[N\], b float32 \[N\]; expected/,
      { input, output: [tensor('a'), tensor('b')] },
    ],
    [/^outputs are p float32 \[N, 3\]/, { input, output: [tensor('p', 3)] }],
  ];
  for (const [message, changes] of refused) {
    t.throws(() => inspect(changes), { instanceOf: ModelRefusedError, message });
  }
  t.throws(() => inspectForeign(someModel(), CURRENT_CONTRACT), {
    message: /Import the original file/,
  });
});

test('an import keeps every byte of the file and adds our metadata', (t) => {
  const file = Buffer.from(aForeignFile());
  const bytes = Buffer.from(anImportedFile(file));
  t.true(bytes.subarray(0, file.length).equals(file));
  const { metadata, spec } = inspectModel(bytes, CURRENT_CONTRACT);
  t.is(metadata.imported?.file, 'model.onnx');
  t.is(spec.output.name, 'probability');
  t.throws(() => openModel(bytes, CURRENT_CONTRACT), { message: /runs only in ONNX Runtime/ });
});

test('an imported model needs only the features that it uses', (t) => {
  const bytes = anImportedFile(aFile({ input: [tensor('dep_hour', 1)] }));
  const later = { contract: 'later', features: ['dep_hour', 'new'] };
  t.deepEqual(inspectModel(bytes, later).spec.inputs[0]?.columns, [0]);
  t.throws(() => inspectModel(bytes, { contract: 'other', features: ['new'] }), {
    message: /input dep_hour is not a feature/,
  });
});
