import { mkdir } from 'node:fs/promises';
import { ModelNotKeptError } from '../errors.ts';
import { BUNDLED, readChoice, writeChoice, type Choice } from './choice.ts';
import { keepModel, keptModels, type KeptModel } from './kept.ts';

/** From one version to another; the bundled model goes by `BUNDLED`. */
export type Moved = { from: string; to: string };

/** Has every publish take this version, `BUNDLED` or a kept one, until it is unpinned. Throws `ModelNotKeptError`. */
export async function pinModel(modelsDir: string, named: string): Promise<string> {
  const pinned = nameOf(fittingModel(named, await keptModels(modelsDir)));
  await change(modelsDir, (choice) => ({ ...choice, pinned }));
  return pinned;
}

/** Has publishes take the released model again; returns what was pinned. */
export async function unpinModel(modelsDir: string): Promise<string | undefined> {
  const { pinned } = await readChoice(modelsDir);
  if (pinned !== undefined) await change(modelsDir, withoutPin);
  return pinned;
}

/**
 * Makes an earlier model the released one: the one named, or the one released before. What is gone back from is
 * withdrawn: no publish takes it and no training releases it again, until it is named here. Throws `ModelNotKeptError`.
 */
export async function rollBackModel(modelsDir: string, named?: string): Promise<Moved> {
  const kept = await keptModels(modelsDir);
  const { released = BUNDLED, withdrawn } = await readChoice(modelsDir);
  const earlier = kept.slice(indexOf(released, kept) + 1);
  const before = earlier.find(({ version, refused }) => !refused && !withdrawn.includes(version));
  if (named === undefined && !before) {
    throw new ModelNotKeptError('there is none before it', names(kept));
  }
  const target = fittingModel(named ?? nameOf(before as KeptModel), kept);
  const to = nameOf(target);
  if (to === released) throw new ModelNotKeptError(`${to} is the released one`, names(kept));
  const isBack = earlier.includes(target);
  await change(modelsDir, (choice) => moved(choice, { from: released, to }, isBack));
  return { from: released, to };
}

/** Models of two versions of the store: the one gone back from, and the one gone back to with its file. */
export type StoreModels = {
  from: string | undefined;
  to: { version: string; bytes: Uint8Array } | undefined;
  /** Whether the store is older than the one before. */
  isBack: boolean;
};

/**
 * Follows the store: where it goes to a version with another model, that one is released again, and the other one
 * withdrawn if the store goes back. Returns what moved. A model released since and never published stays released.
 */
export async function followStore(
  modelsDir: string,
  { from, to, isBack }: StoreModels,
): Promise<Moved | undefined> {
  if (!to || from === to.version) return undefined;
  const kept = await keptModels(modelsDir);
  const choice = await readChoice(modelsDir);
  const released = kept.find(({ version }) => version === from);
  const isOurs = (choice.released ?? BUNDLED) === (released ? nameOf(released) : from);
  if (!isOurs || from === undefined) return undefined;
  const target = kept.find(({ version }) => version === to.version);
  if (!target) {
    const why = 'released: brought back with its store';
    await mkdir(modelsDir, { recursive: true });
    await keepModel(modelsDir, { bytes: to.bytes, card: { isReleased: true, why } });
  }
  const names = { from: choice.released ?? BUNDLED, to: target ? nameOf(target) : to.version };
  await change(modelsDir, (current) => moved(current, names, isBack));
  return names;
}

function moved(choice: Choice, { from, to }: Moved, isBack: boolean): Choice {
  const others = choice.withdrawn.filter((version) => version !== to && version !== from);
  const isWithdrawn = isBack && from !== BUNDLED;
  const next = choice.pinned === from && isBack ? withoutPin(choice) : choice;
  return { ...next, released: to, withdrawn: isWithdrawn ? [...others, from] : others };
}

function withoutPin({ pinned: _, ...choice }: Choice): Choice {
  return choice;
}

async function change(modelsDir: string, next: (choice: Choice) => Choice): Promise<void> {
  await mkdir(modelsDir, { recursive: true });
  await writeChoice(modelsDir, next(await readChoice(modelsDir)));
}

/** The kept model of that name, once it is known to fit. */
function fittingModel(named: string, kept: KeptModel[]): KeptModel {
  const found = kept[indexOf(named, kept)];
  if (!found) throw new ModelNotKeptError(`${named} is not kept`, names(kept));
  if (found.refused !== undefined) {
    throw new ModelNotKeptError(`${named} cannot be published: ${found.refused}`, names(kept));
  }
  return found;
}

function indexOf(named: string, kept: KeptModel[]): number {
  return kept.findIndex((model) => named === model.version || named === nameOf(model));
}

/** How a choice names the model. */
function nameOf({ origin, version }: KeptModel): string {
  return origin === 'bundled' ? BUNDLED : version;
}

function names(kept: KeptModel[]): string[] {
  return kept.map((model) => nameOf(model));
}
