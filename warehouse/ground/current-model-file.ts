/** The file in the model folder that names the current model. */
export const CURRENT_MODEL_FILE = 'current';
