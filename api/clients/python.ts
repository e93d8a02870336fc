import { BODIES, OPERATIONS, referred, said, typeName, VERSION, withoutNull } from './described.ts';
import type { Described, Operation, Parameter } from './described.ts';

/** The client in Python 3.11, one file of the standard library alone: the runtime, a class for each body, a method for each endpoint. */
export function pythonClient(runtime: string): string {
  const classes: string[] = [];
  for (const [name, schema] of Object.entries(BODIES)) define(typeName(name), schema, classes);
  const methods = OPERATIONS.map(method);
  const head = `"""A client of Headwind, made by \`npm run clients\` for version ${VERSION} of the interface."""\n\nfrom __future__ import annotations\n`;
  const client = `class Headwind(Caller):\n    """Every try has a deadline; what is refused for the moment is tried again, but the making of keys."""\n\n${methods.join('\n\n')}\n`;
  return [head, runtime, ...classes.map((one) => `\n${one}\n`), `\n${client}`].join('\n');
}

function method({ id, path, summary, parameters, answer, accepted, isOnce }: Operation): string {
  // Those that must be given go first.
  const sorted = parameters.toSorted((a, b) => Number(b.required) - Number(a.required));
  const args = sorted.map(argument);
  const given = parameters.map(({ name }) => `"${name}": ${name}`).join(', ');
  const more = [
    ...(accepted.length > 1 ? [`accepted=(${accepted.join(', ')})`] : []),
    ...(isOnce ? ['once=True'] : []),
  ].map((one) => `, ${one}`);
  const signature = ['self', ...(args.length > 0 ? ['*', ...args] : [])].join(', ');
  return `    def ${snake(id)}(${signature}) -> ${answer}:
        """${summary}."""
        return self._call("${path}", {${given}}${more.join('')})`;
}

function argument({ name, required, schema }: Parameter): string {
  const type = typeOf(schema, name, []);
  return required ? `${name}: ${type}` : `${name}: ${type} | None = None`;
}

/** A name as Python writes it: `keysUsage` is `keys_usage`. */
function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Adds the class of an object, and before it those of the objects within, or a name for another type. */
function define(name: string, schema: Described, classes: string[]): void {
  if (!schema.properties) {
    classes.push(`${name} = ${typeOf(schema, name, classes)}`);
    return;
  }
  const { properties, required = [] } = schema;
  const fields = Object.entries(properties).map(([field, described]) => {
    const type = typeOf(described, `${name}_${field}`, classes);
    const comment = said(described) === '' ? '' : `    # ${said(described)}\n`;
    return `${comment}    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}`;
  });
  if ('from' in properties) {
    classes.push(withKeyword(name, fields));
    return;
  }
  classes.push(`class ${name}(TypedDict):\n${fields.join('\n')}`);
}

/** A word of the language is no name of a field in a class. */
function withKeyword(name: string, fields: string[]): string {
  const entries = fields.map((field) => field.replace(/^ {4}(\w+): (.*)$/m, '    "$1": $2,'));
  return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('\n')}\n    },\n)`;
}

function typeOf(schema: Described, name: string, classes: string[]): string {
  const { schemas, isNullable } = withoutNull(schema);
  const types = schemas.map((one, at) =>
    plainTypeOf(one, schemas.length > 1 ? `${name}_${at + 1}` : name, classes),
  );
  return [...types, ...(isNullable ? ['None'] : [])].join(' | ');
}

const PLAIN: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'dict[str, Any]',
};

function plainTypeOf(schema: Described, name: string, classes: string[]): string {
  const { $ref, items, properties, type, enum: words, const: only } = schema;
  if ($ref !== undefined) return referred($ref);
  if (typeof only === 'boolean') return `Literal[${only ? 'True' : 'False'}]`;
  const known = words ?? (only === undefined ? undefined : [only]);
  if (known) return `Literal[${known.map((word) => `"${word}"`).join(', ')}]`;
  if (items) return `list[${typeOf(items, name, classes)}]`;
  if (properties) {
    define(classNameOf(name), schema, classes);
    return classNameOf(name);
  }
  return PLAIN[String(type)] ?? 'Any';
}

/** `Score_airline_info` is `ScoreAirlineInfo`. */
function classNameOf(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
