// usage: node real.mts <worktree> <test> <sets,comma> <table 1/0> <out.csv>
import fs from 'node:fs';
const [, , tree, test, sets, table, out] = process.argv;
const im = (p) => import(`${tree}/${p}`);
const { openDatabase } = await im('warehouse/connect.ts');
const { migrate } = await im('warehouse/build/migrate.ts');
const { buildModels } = await im('warehouse/build/build.ts');
const { loadReference } = await im('warehouse/reference/load.ts');
const { exportStore } = await im('warehouse/store/export.ts');
const { readTraining } = await im('warehouse/build/training-rows.ts');
const { openStore } = await im('warehouse/store/open.ts');
const T = { pnw: ['pnw','2023-01-01',null], us24: ['us24','2024-01-01',null], hub24Q3:['hub','2024-08-01','2024-10-01'], hub24Q4: ['hub','2024-10-01','2025-01-01'], hub25Q1:['hub','2025-01-01','2025-04-01'], hub25Q2:['hub','2025-04-01',null], phx19:['phx19','2019-12-01',null], oma21:['oma21','2021-02-01',null], dep22Feb:['dep22','2022-02-01','2022-04-01'], dep22Apr:['dep22','2022-04-01',null], now:['us24','2026-03-01',null] };
const [set, cut, until] = T[test];
const db = await openDatabase(); await migrate(db);
await db.run(`attach '/tmp/levels/bench.duckdb' as b (read_only)`);
const S = sets.split(',').map((x) => `'${x}'`).join(',');
const own = sets.split(',').includes('wn18') && sets.split(',').includes('dep18') ? "and not (s='dep18' and (month <> '2018-01-01' or exists (from b.f g where g.s='wn18' and g.month=f.month and g.o=f.o)))" : '';
await db.run(`insert into raw.route_hours select month, carrier, o, a, h, case when s like 'dep%' then 'departure' else 'arrival' end, sum(nf), sum(nc), sum(nf-nc-n), sum(n), sum(y15), sum(y), 0, 0, 0 from b.f f where s in (${S}) and month < date '${cut}' ${own} group by all`);
await db.run(`insert into raw.lake_months select month, 'x', 'x', 'x', 1,1,0,'x', now(), now() from (select distinct month from raw.route_hours)`);
if (table === '1') {
 await db.run(`insert into raw.delay_causes by name select month, carrier, airport, nf arr_flights, y arr_del15, nc arr_cancelled, nf-nc-n arr_diverted from b.dc where y is not null and month + interval 3 month <= date '${cut}'`);
}
await loadReference(db, new Date(`${cut}T00:00:00Z`));
await db.run(`delete from reference.calendar_days where flight_date >= date '${cut}'`);
let t0 = Date.now(); await buildModels(db, () => undefined); const tb = Date.now() - t0;
t0 = Date.now(); const { estimateEffects } = await im('warehouse/build/effects.ts'); await estimateEffects(db); const te = Date.now() - t0;
t0=Date.now(); const training = await readTraining(db); const tt = Date.now()-t0;
const files = await exportStore(db, new Date(`${cut}T00:00:00Z`)); const store = openStore(files);
const { openXgboost } = await im('models/train/xgboost.ts'); const { fitModel } = await im('models/train/fit.ts'); const { trainingRows } = await im('models/train/rows.ts'); const { modelFile } = await im('models/train/model-file.ts');
t0=Date.now(); const fit = fitModel(openXgboost(), trainingRows(training.columns), { seed: 1, calendarDays: training.calendarDays }, () => undefined); const tf=Date.now()-t0;
const { FEATURES } = await im('models/features.ts'); const { isEffect } = await im('models/train/rows.ts');
console.error(test, sets, 'table', table, 'build', tb, 'effects', te, 'rows', tt, 'fit', tf, 'level', fit.level.toFixed(3), 'slope', fit.effectWeight.toFixed(3), 'trees', fit.trees ? JSON.parse(fit.trees).learner.gradient_booster.model.trees.length : 0, JSON.stringify(fit.dayWeights));
if (test==='now') process.exit(0);
const rows = await db.rows(`select o, a, carrier, coalesce(d, month+14)::date::varchar as d, month::varchar m, h, sum(n)::int n, sum(y)::int y from b.f where s='${set}' and month >= date '${cut}' ${until ? `and month < date '${until}'` : ''} group by all having sum(n)>0 order by all`);
const { assembleFeatures } = await im('models/assemble.ts'); const { casesOf } = await im('models/expectation.ts');
const { onnxSession } = await im('models/onnx/session.ts').catch(()=>({}));
// own evaluation of the fit: effects + day + trees by onnx
const sess = await im('models/onnx/session.ts');
const bytes = modelFile(fit, { ...(globalThis.meta ?? {}), months: training.months, dataSha256: training.dataSha256, outlook: undefined, version: 'x', figures: {} });
const { InferenceSession, Tensor } = (await import(`${tree}/node_modules/onnxruntime-node/dist/index.js`)).default;
const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1 });
const W = FEATURES.length; const memo = new Map(); const ask = []; let feats = [];
for (const r of rows) { const q = { origin: r.o, dest: r.a, carrier: r.carrier, flightDate: r.d, ...(r.h !== null && { depHour: r.h }) }; const k = Object.values(q).join(' '); if (memo.has(k)) continue; memo.set(k, null);
  let cs; try { cs = casesOf(q, store); } catch (e) { cs = []; } ask.push([k, cs.map(({ query, share }) => [feats.push(assembleFeatures(query, store, {})) - 1, share])]); }
const big = new Float32Array(feats.length * W); feats.forEach((f, i) => big.set(f, i * W));
const p = new Float32Array(feats.length); const B = 20000;
for (let i = 0; i < feats.length; i += B) { const n = Math.min(B, feats.length - i); const o = await session.run({ [session.inputNames[0]]: new Tensor('float32', big.slice(i * W, (i + n) * W), [n, W]) }); p.set(Object.values(o)[0].data, i); }
for (const [k, cs] of ask) memo.set(k, cs.reduce((s, [i, w]) => s + w * p[i], 0));
fs.writeFileSync(out, rows.map((r) => { const k = Object.values({ origin: r.o, dest: r.a, carrier: r.carrier, flightDate: r.d, ...(r.h !== null && { depHour: r.h }) }).join(' '); return [r.d, r.m, r.carrier, r.o, r.a, r.h ?? -1, r.n, r.y, memo.get(k).toFixed(6)].join(','); }).join('\n'));
process.exit(0);
