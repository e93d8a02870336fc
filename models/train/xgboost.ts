import koffi, { type LibraryHandle } from 'koffi';

/** Rows for training or prediction; NaN is a missing value. */
export type Matrix = {
  /** Row after row. */
  values: Float32Array;
  columns: number;
  /** One label per row: 0, 1 or a share between 0 and 1. */
  labels?: Float32Array;
  weights?: Float32Array;
  /** Log-odds that each row starts from. */
  margins?: Float32Array;
};

/** XGBoost's own parameters; see the manual of version 1.7. */
export type Params = Record<string, string | number>;

/** Rows in XGBoost's memory, which the caller must free. */
export type Data = { rows: number; handle: unknown; free: () => void };

/** A model in training, which the caller must free. */
export type Booster = {
  /** Adds the trees of one more round, numbered from 0. */
  update: (round: number, data: Data) => void;
  /** Predicts each row, in the unit of the objective: a probability for `binary:logistic`. */
  predict: (data: Data) => Float32Array;
  /** Returns the model as XGBoost's JSON text, which `convert.ts` reads. */
  save: () => string;
  free: () => void;
};

export type Xgboost = {
  /** For example `1.7.4`. */
  version: string;
  data: (matrix: Matrix) => Data;
  /**
   * Creates a booster. `data` must contain all sets of rows that the booster will use, because it caches computations
   * for these sets.
   */
  booster: (params: Params, data: Data[]) => Booster;
};

/** The library is not installed; only training needs it. */
export class XgboostMissingError extends Error {
  readonly isFinal = true;
  override readonly name = 'XgboostMissingError';

  constructor(library: string, options?: ErrorOptions) {
    super(`${library} is not installed: run make setup, or install libxgboost0`, options);
  }
}

/** XGBoost refused a call; the message comes from XGBoost. */
export class XgboostError extends Error {
  readonly isFinal = false;
  override readonly name = 'XgboostError';
}

/**
 * Opens XGBoost through its C API. Calls block the thread, so training runs in a separate process. Throws
 * `XgboostMissingError` when the library cannot be loaded.
 */
export function openXgboost(library = 'libxgboost.so.0'): Xgboost {
  const api = bind(library);
  return {
    version: versionOf(api),
    data: (matrix) => createData(api, matrix),
    booster: (params, data) => createBooster(api, params, data),
  };
}

type Api = ReturnType<typeof bind>;

function bind(library: string) {
  const lib = load(library);
  const lastError = lib.func('const char *XGBGetLastError()');
  /** Wraps a function of the API. The function returns 0 on success; otherwise, it sets an error message. */
  const checkedFunction = (signature: string) => {
    const call = lib.func(signature);
    return (...args: unknown[]): void => {
      if (call(...args) !== 0) throw new XgboostError(String(lastError()).trim());
    };
  };
  return {
    version: lib.func('void XGBoostVersion(_Out_ int *major, _Out_ int *minor, _Out_ int *patch)'),
    createMatrix: checkedFunction(
      'int XGDMatrixCreateFromMat(const float *data, uint64_t rows, uint64_t columns, float missing, _Out_ void **out)',
    ),
    setFloats: checkedFunction(
      'int XGDMatrixSetFloatInfo(void *matrix, const char *field, const float *values, uint64_t count)',
    ),
    freeMatrix: checkedFunction('int XGDMatrixFree(void *matrix)'),
    createBooster: checkedFunction(
      'int XGBoosterCreate(void **matrices, uint64_t count, _Out_ void **out)',
    ),
    setParam: checkedFunction(
      'int XGBoosterSetParam(void *booster, const char *name, const char *value)',
    ),
    update: checkedFunction('int XGBoosterUpdateOneIter(void *booster, int round, void *matrix)'),
    predict: checkedFunction(
      'int XGBoosterPredictFromDMatrix(void *booster, void *matrix, const char *config, _Out_ void **shape, _Out_ uint64_t *dimensions, _Out_ void **values)',
    ),
    save: checkedFunction(
      'int XGBoosterSaveModelToBuffer(void *booster, const char *config, _Out_ uint64_t *length, _Out_ void **bytes)',
    ),
    freeBooster: checkedFunction('int XGBoosterFree(void *booster)'),
  };
}

function load(library: string): LibraryHandle {
  try {
    return koffi.load(library);
  } catch (cause) {
    throw new XgboostMissingError(library, { cause });
  }
}

function versionOf(api: Api): string {
  const parts = [[0], [0], [0]] as const;
  api.version(...parts);
  return parts.flat().join('.');
}

function createData(api: Api, { values, columns, ...infos }: Matrix): Data {
  const rows = values.length / columns;
  if (!Number.isInteger(rows)) {
    throw new RangeError(
      `${values.length} values cannot be divided into rows of ${columns} columns`,
    );
  }
  const out = [null];
  api.createMatrix(values, rows, columns, Number.NaN, out);
  const [handle] = out;
  const data = { rows, handle, free: () => api.freeMatrix(handle) };
  for (const [field, floats] of Object.entries(fieldsOf(infos))) {
    if (floats === undefined) continue;
    if (floats.length !== rows) {
      data.free();
      throw new RangeError(`${floats.length} ${field}s for ${rows} rows`);
    }
    api.setFloats(handle, field, floats, rows);
  }
  return data;
}

/** Maps the fields of rows to XGBoost's names. */
function fieldsOf({ labels, weights, margins }: Omit<Matrix, 'values' | 'columns'>) {
  return { label: labels, weight: weights, base_margin: margins };
}

function createBooster(api: Api, params: Params, data: Data[]): Booster {
  const out = [null];
  api.createBooster(
    data.map(({ handle }) => handle),
    data.length,
    out,
  );
  const [handle] = out;
  for (const [name, value] of Object.entries(params)) api.setParam(handle, name, String(value));
  return {
    update: (round, { handle: matrix }) => api.update(handle, round, matrix),
    predict: ({ handle: matrix, rows }) => {
      const values = [null];
      api.predict(handle, matrix, PREDICT, [null], [0], values);
      // Copies the values, because XGBoost reuses this memory in the next call.
      return new Float32Array(koffi.view(values[0], rows * FLOAT_BYTES).slice(0));
    },
    save: () => {
      const [length, bytes] = [[0], [null]];
      api.save(handle, '{"format":"json"}', length, bytes);
      return Buffer.from(koffi.view(bytes[0], Number(length[0]))).toString();
    },
    free: () => api.freeBooster(handle),
  };
}

const FLOAT_BYTES = 4;

/** Settings of a prediction: a probability per row, from all rounds. */
const PREDICT = JSON.stringify({
  type: 0,
  training: false,
  iteration_begin: 0,
  iteration_end: 0,
  strict_shape: false,
});
