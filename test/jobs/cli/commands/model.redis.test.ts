import test, { type ExecutionContext } from 'ava';
import { findModel, releaseModel } from '../../../../pipelines/model/released-model.ts';
import { currentVersion } from '../../../../warehouse/store/redis.ts';
import { readFromDisk } from '../../../../warehouse/store/disk.ts';
import { someModel } from '../../../models/helpers/model.ts';
import { publishedWorld, silent } from '../../helpers/pipeline-world.ts';
import { commandsHere } from '../../helpers/program-here.ts';

/** A store published with the bundled model, and its commands. */
async function aStore(t: ExecutionContext) {
  const { steps, url, redis, dataDir, paths, runs, store } = await publishedWorld(t);
  return {
    bundled: store.manifest.model?.version,
    paths,
    runs,
    redis,
    release: async (probability: number, releasedAt: string) =>
      releaseModel(paths.modelsDir, {
        bytes: someModel({ probability }),
        card: { isReleased: true, why: 'released: it is better', releasedAt },
      }),
    /** Publishes, and returns the version of the model in the store. */
    publish: async () => (await steps.publishStore(silent)).model,
    served: async () => (await readFromDisk(paths.storeDir))?.manifest.model?.version,
    run: commandsHere({ DATA_DIR: dataDir, REDIS_URL: url }),
  };
}

test.serial(
  'a rollback of the store releases its model again, and the next publish uses that model',
  async (t) => {
    const { bundled, paths, release, publish, served, run, redis } = await aStore(t);
    const released = await release(0.4, '2026-11-01T00:00:00.000Z');
    t.is(await publish(), released);
    const servedVersion = (await currentVersion(redis)) ?? '';
    const back = await run('rollback');
    t.is(back.code, 0, back.err);
    t.regex(back.out, /\nIts model bundled is released again\.\n/);
    t.is(await served(), bundled);
    t.is(await publish(), bundled);

    const forward = await run('rollback', servedVersion);
    t.is(forward.code, 0, forward.err);
    t.is(await publish(), released);
    t.is((await findModel(paths.modelsDir)).model?.version, released);
  },
);

test.serial('the next publish uses a pinned model, or the model of a rollback', async (t) => {
  const { bundled, release, publish, served, run, runs } = await aStore(t);
  const first = await release(0.2, '2026-11-01T00:00:00.000Z');
  const second = await release(0.4, '2026-11-02T00:00:00.000Z');
  t.is((await run('model-pin', first)).code, 0);
  t.is(await publish(), first);
  t.regex((await run('status')).out, new RegExp(`pinned: ${first}; ${second} is released`));
  t.is((await run('model-unpin')).code, 0);
  t.is(await publish(), second);

  const back = await run('model-rollback');
  t.is(
    back.out,
    `Rolled back: every publish uses model ${first} instead of ${second}.\nNext: make publish\nTo undo: make model-rollback VERSION=${second}\n`,
  );
  t.is(await served(), second);
  t.is(await publish(), first);
  t.like(
    (await runs()).findLast(({ step }) => step === 'rollback'),
    {
      outcome: 'done',
      inputs: [{ name: `model ${first}` }],
      detail: { from: second, to: first },
    },
  );
  t.is((await run('model-rollback')).code, 0);
  t.is(await publish(), bundled);

  const none = await run('model-rollback');
  t.is(none.code, 1);
  t.is(
    none.err,
    `Nothing was changed: there is no earlier model; available models: ${second}, ${first}, bundled\n`,
  );
  const list = await run('model');
  t.regex(list.out, new RegExp(`│ ${bundled} +│ served, bundled +│`));
  t.regex(list.out, new RegExp(`│ ${second} +│ withdrawn, released +│`));
});
