import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../warehouse/connect.ts';
import { lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { aFile, extractToLake } from '../../helpers/flight-files.ts';
import { BITRE, OLDER_CAA, VRA } from './helpers/layouts.ts';

/** Loads a file. Returns the months and rejects of its report, and the sums of its first month. */
async function load(t: ExecutionContext, content: string | Uint8Array) {
  const { lakeDir, report } = await extractToLake(t, await aFile(t, content));
  const own = providerLakeDir(lakeDir, report.source.provider ?? 'bts');
  const [first] = await readManifests(own);
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const sums = first
    ? await db.rows(
        `select carrier, origin, dest, sum(flight_count)::int as flights, sum(delayed_count)::int as late
         from read_parquet($file, hive_partitioning = false) group by all order by all`,
        { file: lakeFilePath(own, first.month, first.files.routeHours) },
      )
    : [];
  return { report, sums, months: report.months.map(({ month, outcome }) => `${month} ${outcome}`) };
}

test('Britain: separated thousands, other case and repeated spaces do not matter', async (t) => {
  const row = '"1,000","20",80,10,5,5,0,0,9,0,0,0,0';
  const { months, sums, report } = await load(
    t,
    `${OLDER_CAA}\r\n01/02/2013,201206,Heathrow,France,Paris  (Charles de Gaulle),Air France ,a,S,${row}\r\n`,
  );
  t.deepEqual(report.rowsRejected, 0);
  t.deepEqual(months, ['2012-06 written']);
  t.deepEqual(sums, [{ carrier: 'AF', origin: 'CDG', dest: 'LHR', flights: 1020, late: 100 }]);
});

test('Britain: an older annual file has December as its period, and is recognised by its size', async (t) => {
  const row = (place: string) =>
    `x,201212,HEATHROW,FRANCE,${place},AIR FRANCE,A,S,40000,0,80,10,5,5,0,0,9,0,0,0,0`;
  const { report } = await load(
    t,
    [OLDER_CAA, row('PARIS (CHARLES DE GAULLE)'), row('NICE'), ''].join('\n'),
  );
  t.like(report.months, { length: 1, 0: { month: '2012-12', periodMonths: 12 } });
});

test('Australia: each way to write January 2024 is the same month', async (t) => {
  for (const month of [
    'Jan-24',
    'Jan-2024',
    'Jan 24',
    'January 2024',
    '2024-01',
    '2024-01-01 00:00:00',
    '01/01/2024',
    '45292',
    '',
  ]) {
    const { months, sums } = await load(
      t,
      `${BITRE}\nx,Sydney,Melbourne,virgin Australia,${month},"1,010",1000,10,0,900,0,100,2024,1\n`,
    );
    t.deepEqual(months, ['2024-01 written'], month);
    t.like(sums, { 0: { carrier: 'VA', origin: 'SYD', dest: 'MEL', flights: 1010 } }, month);
  }
});

test('Brazil: a line above the header, quotes, Latin-1 and seconds do not matter', async (t) => {
  const flight = (time: string) =>
    `GLO;1000;0;N;SBGR;${time};${time};SBRJ;${time};${time};Realizado`;
  const plain = [VRA, flight('15/05/2021 10:00'), ''].join('\r\n');
  const quoted = [VRA, flight('2021-05-15 10:00:00'), '']
    .map((line) => (line === '' ? '' : `"${line.replaceAll(';', '";"')}"`))
    .join('\n');
  for (const content of [
    plain,
    `Atualizado em: 2021-06-20\r\n${plain}`,
    quoted,
    Buffer.from(plain, 'latin1'),
  ]) {
    const { months, sums } = await load(t, content);
    t.deepEqual(months, ['2021-05 written']);
    t.deepEqual(sums, [{ carrier: 'G3', origin: 'GRU', dest: 'SDU', flights: 1, late: 0 }]);
  }
});

test('Hong Kong: a flight without a status is rejected, and the other flights count', async (t) => {
  const flight = (no: string, status: string | null) => ({
    ...{ time: '08:15', flight: [{ no, airline: 'CPA' }], origin: ['NRT'], status },
  });
  const list = Array.from({ length: 200 }, (_, at) => flight(`CX ${500 + at}`, 'At gate 08:20'));
  const day = { date: '2026-01-15', arrival: true, cargo: false };
  const { report, months } = await load(
    t,
    `${JSON.stringify({ request: {}, body: [{ ...day, list: [...list, flight('CX 999', null)] }] })}\n`,
  );
  t.deepEqual(months, ['2026-01 written']);
  t.deepEqual([report.rowsRead, report.rowsLoaded], [201, 200]);
});

test('Brazil: headers without accents, in capitals or with underscores are the same columns', async (t) => {
  const plain = VRA.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const flight =
    'GLO;1000;0;N;SBGR;15/05/2021 10:00;15/05/2021 10:00;SBRJ;15/05/2021 11:00;15/05/2021 11:00;REALIZADO';
  for (const header of [
    plain,
    plain.toUpperCase(),
    plain.replaceAll(' ', '_'),
    VRA.normalize('NFD'),
  ]) {
    const { months, sums } = await load(t, `${header}\n${flight}\n`);
    t.deepEqual(months, ['2021-05 written'], header);
    t.like(sums, { 0: { carrier: 'G3', origin: 'GRU', dest: 'SDU', flights: 1 } });
  }
});

test('Brazil: the JSON of the open-data portal, also with a byte order mark', async (t) => {
  const flight = (number: string, status: string, real: object) => ({
    ...{ ICAOEmpresaAérea: 'GLO', NúmeroVoo: number, CódigoAutorização: '0', CódigoTipoLinha: 'N' },
    ...{ ICAOAeródromoOrigem: 'SBGR', ICAOAeródromoDestino: 'SBRJ', CódigoJustificativa: 'N/A' },
    ...{ PartidaPrevista: '2021-05-15 10:00:00', ChegadaPrevista: '2021-05-15 11:00:00' },
    ...{ SituaçãoVoo: status, ...real },
  });
  const flights = [
    flight('1000', 'REALIZADO', {
      PartidaReal: '2021-05-15 10:40:00',
      ChegadaReal: '2021-05-15 11:40:00',
    }),
    flight('1002', 'CANCELADO', { PartidaReal: null }),
  ];
  for (const content of [JSON.stringify(flights), `\uFEFF${JSON.stringify(flights, null, 1)}`]) {
    const { months, sums } = await load(t, content);
    t.deepEqual(months, ['2021-05 written']);
    t.deepEqual(sums, [{ carrier: 'G3', origin: 'GRU', dest: 'SDU', flights: 2, late: 1 }]);
  }
});

test('Brazil: regional and special lines carry passengers; mail, and lines of unknown type, are left out', async (t) => {
  const flight = (type: string, at: number) =>
    `GLO;${at + 1};0;${type};SBGR;15/05/2012 10:00;15/05/2012 10:00;SBRJ;15/05/2012 11:00;15/05/2012 11:00;REALIZADO`;
  const types = ['N', 'I', 'R', 'H', 'E', 'L', 'C', 'G', 'X', ''];
  const { sums, report } = await load(t, [VRA, ...types.map(flight), ''].join('\n'));
  t.deepEqual(report.months[0]?.rejects, { not_passenger: 5 });
  t.like(sums, { 0: { flights: 5 } });
});

test('Britain: Windows-1252, a header with spaces and a period with a dash do not matter', async (t) => {
  const row = (place: string, airline = 'AIR FRANCE') =>
    `x,2012-06,HEATHROW,FRANCE,${place},${airline},A,S,100,0,80,10,5,5,0,0,9,0,0,0,0`;
  const header = OLDER_CAA.replaceAll('_', ' ').toUpperCase();
  const paris = row('PARIS (CHARLES DE GAULLE)');
  // 0x92 is a curly apostrophe in Windows-1252, and no character in Latin-1.
  const text = [header, ...Array.from({ length: 9 }, () => paris), row('NICE', 'L\u0092AVION'), ''];
  const { months, sums, report } = await load(t, Buffer.from(text.join('\r\n'), 'latin1'));
  t.deepEqual(months, ['2012-06 written']);
  t.deepEqual(report.unknownValues, [
    { reason: 'unknown_airline', values: 1, first: [{ value: 'L’AVION', rows: 1 }] },
  ]);
  t.deepEqual(sums, [{ carrier: 'AF', origin: 'CDG', dest: 'LHR', flights: 900, late: 90 }]);
});

test('Australia: counts that are not published leave out their rows, and the month is loaded', async (t) => {
  const row = (airline: string, counts: string) =>
    `x,Sydney,Melbourne,${airline},Jan-24,${counts},2024,1`;
  const { months, sums, report } = await load(
    t,
    [
      BITRE,
      ...Array.from({ length: 17 }, () => row('Qantas', '100,99,1,80,80,19,19')),
      row('Bonza', 'na,na,na,na,na,na,na'),
      row('Rex Airlines', '20,19,1,..,..,..,..'),
      row('Skytrans', ',,,,,,'),
      '',
    ].join('\n'),
  );
  t.deepEqual(months, ['2024-01 written']);
  t.deepEqual(report.months[0]?.rejects, { not_published: 3 });
  t.like(sums, { length: 1, 0: { carrier: 'QF', flights: 1700 } });
});
