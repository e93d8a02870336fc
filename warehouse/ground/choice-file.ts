/** Of a folder of models: the file that says which of them counts. */
export const CHOICE_FILE = 'current';
