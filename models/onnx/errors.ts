/** A model that must not be used; the subclass and the message give the reason. */
export class ModelRefusedError extends Error {
  readonly isFinal = true;
  override readonly name: string = 'ModelRefusedError';
}

/** The file is not a complete ONNX file, or uses operators that our models never use. */
export class ModelFileError extends ModelRefusedError {
  override readonly name = 'ModelFileError';
}

/** The model has an unexpected input or output. */
export class ModelShapeError extends ModelRefusedError {
  override readonly name = 'ModelShapeError';
}

/** The features on which the model was trained are not the features of this code, or the model has no feature names. */
export class ModelContractError extends ModelRefusedError {
  override readonly name = 'ModelContractError';
}

/** The model's output is not a probability. */
export class ModelOutputError extends ModelRefusedError {
  override readonly name: string = 'ModelOutputError';
}
