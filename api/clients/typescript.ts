import { BODIES, OPERATIONS, referred, said, typeName, VERSION, withoutNull } from './described.ts';
import type { Described, Operation, Parameter } from './described.ts';

/** The client in TypeScript, one file that needs no other: the runtime, a type for each body, a function for each endpoint. */
export function typescriptClient(runtime: string): string {
  const bodies = Object.entries(BODIES).map(([name, schema]) =>
    typed(typeName(name), typeOf(schema, ''), said(schema)),
  );
  const params = OPERATIONS.filter(({ parameters }) => parameters.length > 0).map((operation) =>
    typed(paramsName(operation), typeOf(asObject(operation.parameters), ''), ''),
  );
  return [
    `// Made by \`npm run clients\` for version ${VERSION} of the interface. For Node and whatever else has fetch; not for`,
    '// browsers: keys are no business of pages.',
    '',
    runtime.replace('\nexport { caller };\n', ''),
    ...bodies,
    ...params,
    clientType(),
    clientMaker(),
  ].join('\n');
}

function clientType(): string {
  const methods = OPERATIONS.map(
    (operation) =>
      `  /** ${operation.summary}. */\n  ${operation.id}: (${argument(operation)}) => Promise<${operation.answer}>;`,
  );
  return `/** What can be asked of the service. */\nexport type Client = {\n${methods.join('\n')}\n};\n`;
}

function clientMaker(): string {
  const methods = OPERATIONS.map(({ id, path, parameters, accepted, isOnce }) => {
    const more = [
      `path: '${path}'`,
      ...(accepted.length > 1 ? [`accepted: [${accepted.join(', ')}]`] : []),
      ...(isOnce ? ['isOnce: true'] : []),
    ];
    const [given, passed] = parameters.length > 0 ? ['params', ', params'] : ['', ''];
    return `    ${id}: (${given}) => call({ ${more.join(', ')} }${passed}),`;
  });
  return `/** A typed client. Every try has a deadline; what is refused for the moment is tried again, but the making of keys. */
export function createClient(options: ClientOptions): Client {
  const call = caller(options);
  return {
${methods.join('\n')}
  };
}
`;
}

function argument({ id, parameters }: Operation): string {
  if (parameters.length === 0) return '';
  const isOptional = parameters.every(({ required }) => !required);
  return `params${isOptional ? '?' : ''}: ${paramsName({ id })}`;
}

function paramsName({ id }: Pick<Operation, 'id'>): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Params`;
}

function asObject(parameters: Parameter[]): Described {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function typed(name: string, type: string, description: string): string {
  const comment = description === '' ? '' : `/** ${description} */\n`;
  return `${comment}export type ${name} = ${type};\n`;
}

function typeOf(schema: Described, indent: string): string {
  const { schemas, isNullable } = withoutNull(schema);
  const types = schemas.map((one) => plainTypeOf(one, indent));
  return [...types, ...(isNullable ? ['null'] : [])].join(' | ');
}

function plainTypeOf(schema: Described, indent: string): string {
  const { $ref, items, properties, type, enum: words, const: only } = schema;
  if ($ref !== undefined) return referred($ref);
  if (only !== undefined) return typeof only === 'string' ? `'${only}'` : String(only);
  if (words) return words.map((word) => `'${word}'`).join(' | ');
  if (items) return `Array<${typeOf(items, indent)}>`;
  if (properties) return objectType(schema, indent);
  if (type === 'object') return 'Record<string, unknown>';
  return type === 'integer' ? 'number' : String(type);
}

function objectType({ properties = {}, required = [] }: Described, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const comment = said(field) === '' ? '' : `${inner}/** ${said(field)} */\n`;
    const mark = required.includes(name) ? ': ' : '?: ';
    return `${comment}${inner}${name}${mark}${typeOf(field, inner)};`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}
