import type { JsonTable } from '../../../warehouse/extract/json-table.ts';

/** Columns of the table, and their names in ANAC's JSON. */
const COLUMNS = {
  'ICAO Empresa Aérea': 'ICAOEmpresaAérea',
  'Número Voo': 'NúmeroVoo',
  'Código Tipo Linha': 'CódigoTipoLinha',
  'ICAO Aeródromo Origem': 'ICAOAeródromoOrigem',
  'ICAO Aeródromo Destino': 'ICAOAeródromoDestino',
  'Partida Prevista': 'PartidaPrevista',
  'Partida Real': 'PartidaReal',
  'Chegada Prevista': 'ChegadaPrevista',
  'Chegada Real': 'ChegadaReal',
  'Situação Voo': 'SituaçãoVoo',
} as const;

const NAMES = Object.values(COLUMNS);

/**
 * ANAC's open-data portal also offers the months of the VRA as JSON. Each file is a list of flights with the columns of
 * the CSV. If a flight lacks a column, its value is empty. For example, a cancelled flight lacks `PartidaReal`.
 */
export const ANAC_TABLE: JsonTable = {
  header: Object.keys(COLUMNS),
  rowsOf: (answer) => {
    if (!Array.isArray(answer) || !isFlight(answer[0])) return undefined;
    return answer.map((flight: unknown) =>
      NAMES.map((name) => textOf(isObject(flight) ? flight[name] : undefined)),
    );
  },
};

function isFlight(value: unknown): boolean {
  return isObject(value) && 'ICAOEmpresaAérea' in value && 'SituaçãoVoo' in value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
