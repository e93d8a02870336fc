import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CURRENT_MODEL_FILE } from '../../warehouse/ground/current-model-file.ts';
import { readIfExists } from '../../warehouse/ground/files.ts';
import { writeAtomically } from '../../warehouse/ground/temporary.ts';

/** The stored choice of the model to publish. The choice is one small file, so that changes are atomic. */
export type Choice = {
  /**
   * The version that was last released or rolled back to; absent before the first release. `BUNDLED` is the bundled
   * model.
   */
  released?: string;
  /** Version that is published instead of the released version until an operator unpins it. */
  pinned?: string;
  /** Versions that a rollback has replaced. A training does not release them again. */
  withdrawn: string[];
};

/** The name of the model that ships with the code, whatever its version. */
export const BUNDLED = 'bundled';

/** Reads the choice in a model folder. */
export async function readChoice(modelsDir: string): Promise<Choice> {
  const text = (await readIfExists(path.join(modelsDir, CURRENT_MODEL_FILE)))?.toString();
  if (text === undefined) return { withdrawn: [] };
  return JSON.parse(text) as Choice;
}

/** Writes the choice atomically. */
export async function writeChoice(modelsDir: string, choice: Choice): Promise<void> {
  const text = `${JSON.stringify(choice)}\n`;
  await writeAtomically(path.join(modelsDir, CURRENT_MODEL_FILE), (temporary) =>
    writeFile(temporary, text),
  );
}
