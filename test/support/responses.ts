import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import addFormats from "ajv-formats";
import { createDocument } from "../../src/api/openapi/document.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";

type Ref = { $ref: string };
type Declared = Ref | { content?: Record<string, unknown> };
type Operation = {
  operationId: string;
  responses: Record<string, Declared>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Record<string, unknown> } } }>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Exclude<Declared, Ref>>;
  };
};

/** The OpenAPI document, created once. */
export const theDocument = once(
  () => createDocument(appRouter, "http://127.0.0.1:3000") as unknown as Document,
);

/** Whether the document describes the answers to a call. */
export const isDescribed = (method: string, url: string): boolean =>
  method !== "HEAD" && method !== "OPTIONS" && !(pathOf(url)?.startsWith("/openapi.") ?? true);

const pathOf = (url: string) => /^(?:https?:\/\/[^/]+)?\/api\/v1(\/[^?#]*)/.exec(url)?.[1];

/**
 * Fails when a REST response is not one that the document allows; other responses pass.
 *
 * Reads the response, unless `bytes` are its body.
 */
export async function checkResponse(
  method: string,
  url: string,
  response: Response,
  bytes?: Buffer,
): Promise<void> {
  const path = pathOf(url);
  if (path === undefined || !isDescribed(method, url)) return;
  const { status } = response;
  // A stream has no end to wait for.
  const text = isStream(response) ? "" : textOf(response, bytes ?? (await bytesOf(response)));
  const type = response.headers.get("content-type") ?? "";
  const fault = faultOf(method, path, status, type, text);
  if (fault === undefined) return;
  throw new Error(`${method} ${path}: ${status} is not as documented: ${fault}\n${text}`);
}

/** The bytes of a response. */
export const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

/** The body of a response, which may be compressed. */
function textOf(response: Response, bytes: Buffer): string {
  const encoding = response.headers.get("content-encoding");
  if (encoding === "br") return brotliDecompressSync(bytes).toString();
  return (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
}

/** What is wrong with a REST response according to the document; undefined when nothing is. */
export function faultOf(
  method: string,
  path: string,
  status: number,
  contentType: string,
  text: string,
): string | undefined {
  const operation = operationOf(method, path);
  const content = operation === undefined ? onlyError : contentOf(operation, status);
  if (content === undefined) return "the status is not declared";
  if (text === "" && (status === 304 || Object.keys(content).length === 0)) return undefined;
  const [type = ""] = contentType.split(";");
  if (!Object.hasOwn(content, type)) return `the content type ${type} is not declared`;
  if (type !== "application/json" || isBinary(content[type])) return undefined;
  return faultIn(`${operation?.operationId} ${status}`, content[type], JSON.parse(text));
}

/** What is wrong with the body of a webhook according to the document, as a strict receiver reads it. */
export function faultOfDelivery(text: string): string | undefined {
  const body: unknown = JSON.parse(text);
  const { type } = body as { type: string };
  const declared = theDocument().webhooks[type]?.post.requestBody.content["application/json"];
  return declared === undefined ? `no webhook ${type}` : faultIn(type, declared, body);
}

function faultIn(key: string, media: unknown, value: unknown): string | undefined {
  const validate = validatorOf(key, media);
  if (validate(value)) return undefined;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return faults.join("; ");
}

// A file can have any content, also JSON.
const isBinary = (media: unknown) => {
  const { schema } = media as { schema: { format?: string } };
  return schema.format === "binary" || Object.keys(schema).length === 0;
};

/** Whether an answer is a stream of server-sent events. */
export const isStream = (response: Response) =>
  response.headers.get("content-type")?.startsWith("text/event-stream") === true;

const onlyError = {
  "application/json": { schema: { $ref: "#/components/schemas/ErrorResponse" } },
};

const routes = once(() =>
  routesOf(appRouter).flatMap(({ method, path, options }) =>
    [path, options.alias ?? []].flat().map((one) => ({
      method,
      operation: theDocument().paths[path]?.[method.toLowerCase()],
      shape: shapeOf(one),
      pattern: new RegExp(`^${one.replace(/\{\w+\}/g, "[^/]+")}/?$`),
    })),
  ),
);

/** The first segment of a path and the number of its segments: cheaper to compare than a pattern. */
function shapeOf(path: string): string {
  const [, first, ...others] = path.replace(/\/$/, "").split("/");
  return `${first} ${others.length}`;
}

/** The operation of a call. Fixed segments come first: `/checklists/items` names no checklist. */
function operationOf(method: string, path: string): Operation | undefined {
  const shape = shapeOf(path);
  const known = routes().filter((one) => one.shape === shape);
  const first = known.find(({ pattern }) => pattern.test(path))?.pattern.source;
  const described = method === "PATCH" ? "PUT" : method;
  return known.find((one) => one.method === described && one.pattern.source === first)?.operation;
}

function contentOf({ responses }: Operation, status: number): Record<string, unknown> | undefined {
  const response = responses[String(status)] ?? responses["default"];
  if (response === undefined) return undefined;
  const { components } = theDocument();
  return (
    ("$ref" in response
      ? components.responses[response.$ref.split("/").at(-1) ?? ""]?.content
      : response.content) ?? {}
  );
}

const ajv = once(() => {
  const made = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    // Most validators run a few times only: to optimize them would cost more.
    code: { optimize: false },
  });
  addFormats.default(made);
  made.addVocabulary(["x-known-values", "x-also-accepts"]);
  const { schemas } = theDocument().components;
  made.addSchema(readable({ $id: "document", $defs: closed(schemas) }));
  return made;
});

// References point into the document, of which a validator reads only the schemas. The values of
// a discriminator are those of its branches.
const readable = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, withoutMapping).replaceAll("#/components/schemas/", "document#/$defs/"),
  );

const withoutMapping = (_: string, value: any) =>
  typeof value?.discriminator?.propertyName === "string"
    ? {
        ...value,
        type: "object",
        discriminator: { propertyName: value.discriminator.propertyName },
      }
    : value;

/** A schema whose objects have no other fields: an answer of today has all and only these. */
function closed(schema: object): object {
  const fields = Object.entries(schema).map(([key, value]) => [
    key,
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? closed(value)
      : Array.isArray(value)
        ? value.map((one: unknown) => (typeof one === "object" && one !== null ? closed(one) : one))
        : value,
  ]);
  const isObject = "properties" in schema && !("additionalProperties" in schema);
  return { ...Object.fromEntries(fields), ...(isObject ? { additionalProperties: false } : {}) };
}

// Most responses are a reference to a schema that many operations share: it is compiled once.
const validators = new Map<string, ValidateFunction>();
function validatorOf(responseKey: string, media: unknown): ValidateFunction {
  const { schema } = media as { schema: { $ref?: string } };
  const key = schema.$ref ?? responseKey;
  let validate = validators.get(key);
  if (validate === undefined)
    validators.set(key, (validate = ajv().compile(readable(closed(schema)))));
  return validate;
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
