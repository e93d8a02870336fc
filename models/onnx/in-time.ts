import { ModelAwayError } from './errors.ts';

/** What the run answers; rejects with `ModelAwayError` when it has not after that long. */
export async function inTime<Answer>(running: Promise<Answer>, ms: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ModelAwayError(`no answer in ${ms} ms`)), ms);
  });
  return Promise.race([running, late]).finally(() => clearTimeout(timer));
}
