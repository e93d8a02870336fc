/** The data of `/docs`. Texts have code in backticks. */
export type InterfaceData = {
  version: string;
  /** General rules of the API. */
  description: string;
  groups: { name: string; description: string; calls: Call[] }[];
  /** Objects that several responses share. */
  parts: { name: string; fields: Field[] }[];
  refusals: { status: string; description: string; example: string }[];
  headers: { name: string; description: string }[];
};

/** One endpoint. */
export type Call = {
  /** Name of the function in clients, and anchor on the page. */
  id: string;
  method: string;
  /** Path of the endpoint. Names in braces are parameters. */
  path: string;
  summary: string;
  description: string;
  /** The key that the endpoint requires: none, a key in the query, or an admin key in a header. */
  key: 'none' | 'query' | 'admin';
  /** Whether the endpoint is only announced. Calls get status 501 until the endpoint exists. */
  isAnnounced: boolean;
  parameters: Parameter[];
  /** The response body: its name, its fields and an example. */
  body: { name: string; fields: Field[]; example: string };
  /** Error statuses. */
  refusals: string[];
};

export type Parameter = Field & {
  isRequired: boolean;
  /** Example value, as written in an address. */
  example: string;
  input: 'text' | 'date' | 'time' | 'number' | 'flag';
};

/** A field of an object. A type such as `[Stats](#Stats)` links to a shared object. */
export type Field = { name: string; type: string; description: string };
