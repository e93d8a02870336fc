import { SCHEMAS, type Json, type UNLESS } from './json-schema.ts';

/** The parts of a schema that the documentation's tables show. */
export type ShownSchema = {
  $ref?: string;
  type?: string | string[];
  const?: string | boolean;
  enum?: string[];
  'x-extensible-enum'?: string[];
  'x-unit'?: string;
  format?: string;
  description?: string;
  default?: string | number | boolean;
  properties?: Record<string, ShownSchema>;
  required?: string[];
  items?: ShownSchema;
  anyOf?: ShownSchema[];
};

export type ShownParameter = {
  name: string;
  required: boolean;
  [UNLESS]?: string;
  description: string;
  schema: ShownSchema;
  example?: string | number | boolean | string[];
};

/** The parts of the OpenAPI document that the documentation's tables show. */
export type ShownDocument = {
  paths: Record<string, Record<string, { parameters: ShownParameter[] } & Json>>;
  components: { schemas: Record<string, ShownSchema> };
};

/** Row of a table: name, type and meaning of a field. Fixed values are in backticks. */
export type FieldRow = { name: string; type: string; description: string };

/** Returns functions that list the fields of bodies. `linkTo` formats a reference to an object with its own table. */
export function createRows(
  { components: { schemas } }: ShownDocument,
  linkTo: (name: string) => string,
) {
  const resolve = ({ $ref }: ShownSchema): ShownSchema | undefined =>
    $ref === undefined ? undefined : schemas[nameOf($ref)];

  /**
   * Returns one row per field. If a field contains one of several kinds of object, the rows of all kinds are merged.
   */
  const fieldsOf = (prefix: string, schema: ShownSchema): FieldRow[] => {
    const names = new Set<string>();
    const choices = schema.anyOf?.filter(({ properties }) => properties) ?? [schema];
    return choices.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).flatMap(([name, field]) => {
        if (names.has(name)) return [];
        names.add(name);
        const isAlwaysPresent =
          required.includes(name) && choices.every((one) => one.properties?.[name]);
        const type = isAlwaysPresent ? typeOf(field) : `${typeOf(field)}, optional`;
        const description = field.description ?? resolve(field)?.description ?? '';
        return [{ name: prefix + name, type, description }, ...nestedFields(prefix + name, field)];
      }),
    );
  };

  /** Returns the rows of an object without a name, or of the objects in a list. */
  const nestedFields = (name: string, schema: ShownSchema): FieldRow[] => {
    const [first, ...alternatives] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    const inner = first && alternatives.length === 0 ? first : schema;
    if (inner.items) return nestedFields(`${name}[]`, inner.items);
    return fieldsOf(`${name}.`, inner);
  };

  const typeOf = (schema: ShownSchema): string => {
    const { anyOf, items, const: only, format } = schema;
    if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
    if (items) return `list of ${typeOf(items)}`;
    if (only !== undefined) return `\`${only}\``;
    const words = schema.enum ?? schema['x-extensible-enum'] ?? resolve(schema)?.enum;
    if (words) {
      const more = schema['x-extensible-enum'] ? ', …' : '';
      return words.map((word) => `\`${word}\``).join(', ') + more;
    }
    if (schema.$ref) return linkTo(nameOf(schema.$ref));
    const type = format ?? [schema.type].flat().join(' or ');
    return [type, ...[schema['x-unit'] ?? []].flat()].join(', ');
  };

  return {
    /** Returns the rows of a body or part. Nested fields have dotted names, such as `a.b`. */
    fields: (name: string) => fieldsOf('', schemas[name] ?? {}),
    typeOf,
  };
}

function nameOf(reference: string): string {
  return reference.slice(SCHEMAS.length);
}
