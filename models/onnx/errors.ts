/** A model that must not serve: why is in the subclass and the message. */
export class ModelRefusedError extends Error {
  readonly isFinal = true;
  override readonly name: string = 'ModelRefusedError';
}

/** Not a whole ONNX file, or one that uses what ours never do. */
export class ModelFileError extends ModelRefusedError {
  override readonly name = 'ModelFileError';
}

/** Its input or output is not what is asked of a model. */
export class ModelShapeError extends ModelRefusedError {
  override readonly name = 'ModelShapeError';
}

/** It was trained on other features than this code assembles, or does not say on which. */
export class ModelContractError extends ModelRefusedError {
  override readonly name = 'ModelContractError';
}

/** It answers a plain question with something that is no probability. */
export class ModelOutputError extends ModelRefusedError {
  override readonly name = 'ModelOutputError';
}
