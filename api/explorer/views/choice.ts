/** A suggestion of the flight form: `value` is for the field, the other texts are shown. */
export type Choice = { value: string; code: string; name: string; detail: string };

/** The suggestions for a text, most likely first. */
export type ChoicesData = { choices: Choice[] };
