import { SCHEMAS, type Json } from './json-schema.ts';

/** A schema of the document, as far as tables show it. */
export type Shown = {
  $ref?: string;
  type?: string | string[];
  const?: string | boolean;
  enum?: string[];
  'x-extensible-enum'?: string[];
  'x-unit'?: string;
  format?: string;
  description?: string;
  default?: string | number | boolean;
  properties?: Record<string, Shown>;
  required?: string[];
  items?: Shown;
  anyOf?: Shown[];
};

export type ShownParameter = {
  name: string;
  required: boolean;
  description: string;
  schema: Shown;
  example?: string | number | boolean | string[];
};

/** The document, as far as tables show it. */
export type ShownDocument = {
  paths: Record<string, { get: { parameters: ShownParameter[] } & Json }>;
  components: { schemas: Record<string, Shown> };
};

/** Name, type and meaning of a field; words to be taken to the letter stand in backticks. */
export type FieldRow = { name: string; type: string; said: string };

/** Tells what bodies and parameters are made of; `linkTo` writes the name of a part that has a table of its own. */
export function createRows(
  { components: { schemas } }: ShownDocument,
  linkTo: (name: string) => string,
) {
  const referred = ({ $ref }: Shown): Shown | undefined =>
    $ref === undefined ? undefined : schemas[nameOf($ref)];

  /** A row for each field; those of a choice between objects together. */
  const fieldsOf = (before: string, schema: Shown): FieldRow[] => {
    const seen = new Set<string>();
    const choices = schema.anyOf?.filter(({ properties }) => properties) ?? [schema];
    return choices.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).flatMap(([name, field]) => {
        if (seen.has(name)) return [];
        seen.add(name);
        const isSure = required.includes(name) && choices.every((one) => one.properties?.[name]);
        const type = isSure ? typeOf(field) : `${typeOf(field)}, optional`;
        const said = field.description ?? referred(field)?.description ?? '';
        return [{ name: before + name, type, said }, ...within(before + name, field)];
      }),
    );
  };

  /** The fields of an object, or of the objects of a list, that has no name of its own. */
  const within = (name: string, schema: Shown): FieldRow[] => {
    const [first, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    const inner = first && others.length === 0 ? first : schema;
    if (inner.items) return within(`${name}[]`, inner.items);
    return fieldsOf(`${name}.`, inner);
  };

  const typeOf = (schema: Shown): string => {
    const { anyOf, items, const: only, format } = schema;
    if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
    if (items) return `list of ${typeOf(items)}`;
    if (only !== undefined) return `\`${only}\``;
    const words = schema.enum ?? schema['x-extensible-enum'] ?? referred(schema)?.enum;
    if (words) {
      const more = schema['x-extensible-enum'] ? ', …' : '';
      return words.map((word) => `\`${word}\``).join(', ') + more;
    }
    if (schema.$ref) return linkTo(nameOf(schema.$ref));
    const type = format ?? [schema.type].flat().join(' or ');
    return [type, ...[schema['x-unit'] ?? []].flat()].join(', ');
  };

  return {
    /** The fields of a body, or of a part of bodies; those of objects within have dots before them. */
    fields: (name: string) => fieldsOf('', schemas[name] ?? {}),
    typeOf,
  };
}

function nameOf(reference: string): string {
  return reference.slice(SCHEMAS.length);
}
