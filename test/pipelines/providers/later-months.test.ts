import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { aFile, extractToLake } from '../../helpers/flight-files.ts';
import { CAA } from './helpers/layouts.ts';

/** Extracts a file. Returns its months, its rejects, and the sums of its first month by airline and route. */
async function load(t: ExecutionContext, content: string | Uint8Array) {
  const { lakeDir, report } = await extractToLake(t, await aFile(t, content));
  t.is(report.rowsLoaded + report.rowsRejected, report.rowsRead);
  const own = providerLakeDir(lakeDir, report.source.provider ?? 'bts');
  const [first] = await readManifests(own);
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const sums = await db.rows(
    `select carrier, origin, dest, sum(flight_count)::int as flights, sum(cancelled_count)::int as cancelled,
       sum(completed_count)::int as completed, sum(delayed_count)::int as late
     from read_parquet($file, hive_partitioning = false) group by all order by all`,
    { file: first ? lakeFilePath(own, first.month, first.files.routeHours) : '' },
  );
  return {
    sums,
    months: report.months.map(({ month }) => month),
    rejects: report.months[0]?.rejects,
  };
}

const PARIS = 'HEATHROW,FRANCE,PARIS (CHARLES DE GAULLE),AIR FRANCE';

test('Britain in April 2020: a route with only cancelled flights is loaded, a route without flights is not', async (t) => {
  const none = '0,0,0,0,0,0,0,0,0';
  const { sums, months, rejects } = await load(
    t,
    [
      `\uFEFF${CAA}`,
      `14/05/2020 10:02,202004,${PARIS},A,S,0,0,31,${none},0,100,0,60,90,8`,
      `14/05/2020 10:02,202004,${PARIS},D,S,0,0,0,${none},0,0,0,62,88,9`,
      '',
    ].join('\r\n'),
  );
  t.deepEqual(months, ['2020-04']);
  t.deepEqual(rejects, { no_flights: 1 });
  t.deepEqual(sums, [
    {
      carrier: 'AF',
      origin: 'CDG',
      dest: 'LHR',
      flights: 31,
      cancelled: 31,
      completed: 0,
      late: 0,
    },
  ]);
});

test('Britain in January 2025: quoted values, and an airline that is not known, do not stop the month', async (t) => {
  const row = (airline: string) =>
    `14/03/2025 09:41,202501,HEATHROW,FRANCE,PARIS (CHARLES DE GAULLE),${airline},D,S,90,0,10,5,25,30,10,10,5,3,1,1,0,10,12.5,95,80,11`
      .split(',')
      .map((value) => `"${value}"`)
      .join(',');
  const known = ['AIR FRANCE', 'BRITISH AIRWAYS PLC', 'EASYJET UK LTD', 'KLM', 'LUFTHANSA'];
  const lines = [...known, 'AN AIRLINE FOUNDED IN 2025'].map(row);
  const { sums, months, rejects } = await load(t, `\uFEFF${[CAA, ...lines, ''].join('\n')}`);
  t.deepEqual(months, ['2025-01']);
  t.deepEqual(rejects, { unknown_airline: 1 });
  t.deepEqual(
    sums,
    ['AF', 'BA', 'KL', 'LH', 'U2'].map((carrier) => ({
      ...{ carrier, origin: 'LHR', dest: 'CDG' },
      ...{ flights: 100, cancelled: 10, completed: 90, late: 20 },
    })),
  );
});

test('Britain: a file without a band of delays is refused, and the error names the file', async (t) => {
  const header = CAA.replace('flights_between_31_and_60_minutes_late_percent,', '');
  const content = `${header}\n14/03/2025,202501,${PARIS},D,S,90,0,10,5,25,30,10,5,3,1,1,0,10,12,95,80,11\n`;
  const error = await t.throwsAsync(load(t, content), { instanceOf: SourceFormatError });
  t.regex(error.message, /flights\.csv/);
});

const BRAZILIAN_FLIGHT = {
  carrier: 'G3',
  origin: 'GRU',
  dest: 'SDU',
  flights: 2,
  cancelled: 1,
  completed: 1,
};

test('Brazil in 2005: commas, Latin-1, a misspelled column, and no actual times for flights on time', async (t) => {
  const header =
    'ICAO Empresa Aérea,Número Voo,Código Autorização (DI),Código Tipo Linha,ICAO Aeródromo Origem,ICAO Aeródromoo Destino,Partida Prevista,Partida Real,Chegada Prevista,Chegada Real,Situação Voo,Código Justificativa';
  const lines = [
    header,
    'GLO,1000,0,N,SBGR,SBRJ,05/05/2005 10:00,,05/05/2005 11:00,,Realizado,',
    'GLO,1002,0,N,SBGR,SBRJ,05/05/2005 12:00,,05/05/2005 13:00,,Cancelado,XA',
    '',
  ];
  const { sums, months } = await load(t, Buffer.from(lines.join('\r\n'), 'latin1'));
  t.deepEqual(months, ['2005-05']);
  t.deepEqual(sums, [{ ...BRAZILIAN_FLIGHT, late: 0 }]);
});

test('Brazil in 2012: semicolons, Latin-1 and a column of reasons', async (t) => {
  const header =
    'ICAO Empresa Aérea;Número Voo;Código Autorização (DI);Código Tipo Linha;ICAO Aeródromo Origem;ICAO Aeródromo Destino;Partida Prevista;Partida Real;Chegada Prevista;Chegada Real;Situação Voo;Código Justificativa';
  const lines = [
    header,
    'GLO;1000;0;N;SBGR;SBRJ;05/05/2012 10:00;05/05/2012 10:40;05/05/2012 11:00;05/05/2012 11:45;REALIZADO;RA',
    'GLO;1002;0;N;SBGR;SBRJ;05/05/2012 12:00;;05/05/2012 13:00;;CANCELADO;XA',
    '',
  ];
  const { sums, months } = await load(t, Buffer.from(lines.join('\r\n'), 'latin1'));
  t.deepEqual(months, ['2012-05']);
  t.deepEqual(sums, [{ ...BRAZILIAN_FLIGHT, late: 1 }]);
});

test('Brazil: newer files have more columns, and a line above the header', async (t) => {
  const header =
    'Sigla ICAO Empresa Aérea;Empresa Aérea;Número Voo;Código DI;Código Tipo Linha;Modelo Equipamento;Número de Assentos;Sigla ICAO Aeroporto Origem;Descrição Aeroporto Origem;Partida Prevista;Partida Real;Sigla ICAO Aeroporto Destino;Descrição Aeroporto Destino;Chegada Prevista;Chegada Real;Situação Voo;Justificativa;Referência;Situação Partida;Situação Chegada';
  const flight = (number: string, [departure, arrival]: string[], outcome: string) =>
    `GLO;GOL LINHAS AÉREAS S.A.;${number};0;N;B738;186;SBGR;GUARULHOS - SÃO PAULO;15/08/2023 10:00;${departure};SBRJ;SANTOS DUMONT;15/08/2023 11:00;${arrival};${outcome};;2023-08-15;;`;
  const lines = [
    'Atualizado em: 2023-10-02',
    header,
    flight('1000', ['15/08/2023 10:35', '15/08/2023 11:31'], 'REALIZADO'),
    flight('1002', ['', ''], 'CANCELADO'),
    '',
  ];
  const { sums, months } = await load(t, `\uFEFF${lines.join('\r\n')}`);
  t.deepEqual(months, ['2023-08']);
  t.deepEqual(sums, [{ ...BRAZILIAN_FLIGHT, late: 1 }]);
});

test('Hong Kong in January 2026: an arrival before midnight of New Year, and a flight without an actual time', async (t) => {
  const flight = (no: string, time: string, status: string) => ({
    ...{ time, flight: [{ no, airline: 'CPA' }], origin: ['NRT'], status },
  });
  const list = [
    flight('CX 501', '00:15', 'At gate 23:50 (31/12/2025)'),
    flight('CX 503', '23:30', 'At gate 00:35 (02/01/2026)'),
    flight('CX 505', '12:00', 'Cancelled'),
    flight('CX 507', '13:00', 'Diverted'),
  ];
  const body = [{ date: '2026-01-01', arrival: true, cargo: false, list }];
  const { sums, months } = await load(t, `${JSON.stringify({ request: {}, body })}\n`);
  t.deepEqual(months, ['2026-01']);
  t.deepEqual(sums, [
    { carrier: 'CX', origin: 'NRT', dest: 'HKG', flights: 4, cancelled: 1, completed: 2, late: 1 },
  ]);
});
