/** A suggestion of the flight form: the text for the field, and the texts to show. */
export type Choice = { value: string; code: string; name: string; detail: string };

/** The suggestions for a text, most likely first. */
export type ChoicesData = { choices: Choice[] };
