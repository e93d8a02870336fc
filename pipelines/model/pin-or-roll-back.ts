import { mkdir } from 'node:fs/promises';
import { ModelChangeRefusedError } from '../errors.ts';
import { BUNDLED, readChoice, writeChoice, type Choice } from './choice.ts';
import { listModels, removeModel, storeModel, type StoredModel } from './model-folder.ts';

/** A change from one version to another; `BUNDLED` is the bundled model. */
export type ModelChange = { from: string; to: string };

/**
 * Pins a version, or `BUNDLED`. Every publish uses the pinned model until it is unpinned. Throws
 * `ModelChangeRefusedError`.
 */
export async function pinModel(modelsDir: string, name: string): Promise<string> {
  const pinned = nameOf(findUsableModel(name, await listModels(modelsDir)));
  await updateChoice(modelsDir, (choice) => ({ ...choice, pinned }));
  return pinned;
}

/** Removes the pin, so that publishes use the released model again; returns the version that was pinned. */
export async function unpinModel(modelsDir: string): Promise<string | undefined> {
  const { pinned } = await readChoice(modelsDir);
  if (pinned !== undefined) await updateChoice(modelsDir, withoutPin);
  return pinned;
}

/**
 * Makes an earlier model the released model: the given version, or the model released before the current one. Withdraws
 * the replaced model: no publish uses it and no training releases it until a rollback names it. Throws
 * `ModelChangeRefusedError`.
 */
export async function rollBackModel(modelsDir: string, name?: string): Promise<ModelChange> {
  const models = await listModels(modelsDir);
  const { released = BUNDLED, withdrawn } = await readChoice(modelsDir);
  const olderModels = models.slice(indexOf(released, models) + 1);
  const previous = olderModels.find(
    ({ version, refused, card }) =>
      !refused && !withdrawn.includes(version) && card?.isReleased !== false,
  );
  if (name === undefined && !previous) {
    throw new ModelChangeRefusedError('there is no earlier model', namesOf(models));
  }
  const target = findUsableModel(name ?? nameOf(previous as StoredModel), models);
  const to = nameOf(target);
  if (to === released) {
    throw new ModelChangeRefusedError(`${to} is already released`, namesOf(models));
  }
  const isRollback = olderModels.includes(target);
  await updateChoice(modelsDir, (choice) =>
    applyChange(choice, { from: released, to }, isRollback),
  );
  return { from: released, to };
}

/**
 * Removes an imported model, also from the pin. Without a name, removes the imported model that is pinned or released;
 * if there is none, removes the only imported model. If the removed model was the released model, the last of our own
 * released models becomes the released model again. Throws `ModelChangeRefusedError`.
 */
export async function removeImported(modelsDir: string, name?: string): Promise<string> {
  const models = await listModels(modelsDir);
  const imported = models
    .filter(({ origin }) => origin === 'imported')
    .map(({ version }) => version);
  const choice = await readChoice(modelsDir);
  const current = [choice.pinned, choice.released].find((one) => imported.includes(one ?? ''));
  const version = name ?? current ?? (imported.length === 1 ? imported[0] : undefined);
  if (version === undefined || !imported.includes(version)) {
    const detail =
      version === undefined ? 'VERSION= must name an imported model' : `${version} is not imported`;
    throw new ModelChangeRefusedError(detail, namesOf(models));
  }
  const own = models.find(
    ({ origin, version: one, refused }) =>
      origin === 'released' && !refused && !choice.withdrawn.includes(one),
  );
  await updateChoice(modelsDir, (before) => {
    const next = before.pinned === version ? withoutPin(before) : before;
    return next.released === version ? { ...next, released: own?.version ?? BUNDLED } : next;
  });
  await removeModel(modelsDir, version);
  return version;
}

/**
 * The models of two store versions. `from` is the model of the version before a rollback. `to` is the model of the
 * version that the rollback makes current, with the model file.
 */
export type StoreModels = {
  from: string | undefined;
  to: { version: string; bytes: Uint8Array } | undefined;
  /** Whether the target store is older. */
  isToOlder: boolean;
};

/**
 * Applies a rollback of the store to the released model. If the target store has another model, that model becomes the
 * released model. If the target store is older, the former released model is withdrawn. Returns the change. A model
 * that was released later and never published stays released.
 */
export async function followStore(
  modelsDir: string,
  { from, to, isToOlder }: StoreModels,
): Promise<ModelChange | undefined> {
  if (!to || from === to.version) return undefined;
  const models = await listModels(modelsDir);
  const choice = await readChoice(modelsDir);
  const released = models.find(({ version }) => version === from);
  const isOurs = (choice.released ?? BUNDLED) === (released ? nameOf(released) : from);
  if (!isOurs || from === undefined) return undefined;
  const target = models.find(({ version }) => version === to.version);
  if (!target) {
    const why = 'released: a rollback of the store restored this model';
    await mkdir(modelsDir, { recursive: true });
    await storeModel(modelsDir, { bytes: to.bytes, card: { isReleased: true, why } });
  }
  const names = { from: choice.released ?? BUNDLED, to: target ? nameOf(target) : to.version };
  await updateChoice(modelsDir, (current) => applyChange(current, names, isToOlder));
  return names;
}

function applyChange(choice: Choice, { from, to }: ModelChange, isRollback: boolean): Choice {
  const otherVersions = choice.withdrawn.filter((version) => version !== to && version !== from);
  const isWithdrawn = isRollback && from !== BUNDLED;
  const next = choice.pinned === from && isRollback ? withoutPin(choice) : choice;
  return {
    ...next,
    released: to,
    withdrawn: isWithdrawn ? [...otherVersions, from] : otherVersions,
  };
}

function withoutPin({ pinned: _, ...choice }: Choice): Choice {
  return choice;
}

async function updateChoice(modelsDir: string, next: (choice: Choice) => Choice): Promise<void> {
  await mkdir(modelsDir, { recursive: true });
  await writeChoice(modelsDir, next(await readChoice(modelsDir)));
}

/** Returns the model with this name after checking that it can be used. */
function findUsableModel(name: string, models: StoredModel[]): StoredModel {
  const model = models[indexOf(name, models)];
  if (!model) {
    throw new ModelChangeRefusedError(`${name} is not in the model folder`, namesOf(models));
  }
  if (model.refused !== undefined) {
    throw new ModelChangeRefusedError(
      `${name} cannot be published: ${model.refused}`,
      namesOf(models),
    );
  }
  return model;
}

function indexOf(name: string, models: StoredModel[]): number {
  return models.findIndex((model) => name === model.version || name === nameOf(model));
}

/** Returns the name by which commands and the stored choice identify a model. */
function nameOf({ origin, version }: StoredModel): string {
  return origin === 'bundled' ? BUNDLED : version;
}

function namesOf(models: StoredModel[]): string[] {
  return models.map((model) => nameOf(model));
}
