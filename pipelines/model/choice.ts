import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CHOICE_FILE } from '../../warehouse/ground/choice-file.ts';
import { readIfThere } from '../../warehouse/ground/files.ts';
import { intoPlace } from '../../warehouse/ground/into-place.ts';

/** Which of the kept models is to be published; one small file, so that it changes whole or not at all. */
export type Choice = {
  /** The version released last, or gone back to; absent until one is. `BUNDLED` for the one that ships with the code. */
  released?: string;
  /** Published in its place whatever is released, until it is unpinned. */
  pinned?: string;
  /** Versions that were rolled back from: a training does not release them again. */
  withdrawn: string[];
};

/** Stands for the model that ships with the code, whatever its version. */
export const BUNDLED = 'bundled';

/** The choice in a models folder. */
export async function readChoice(modelsDir: string): Promise<Choice> {
  const text = (await readIfThere(path.join(modelsDir, CHOICE_FILE)))?.toString();
  if (text === undefined) return { withdrawn: [] };
  // Earlier code wrote the released version alone.
  return text.startsWith('{') ? (JSON.parse(text) as Choice) : { released: text, withdrawn: [] };
}

/** Writes the choice, whole or not at all. */
export async function writeChoice(modelsDir: string, choice: Choice): Promise<void> {
  const text = `${JSON.stringify(choice)}\n`;
  await intoPlace(path.join(modelsDir, CHOICE_FILE), (temporary) => writeFile(temporary, text));
}
