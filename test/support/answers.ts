import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createDocument } from "../../src/api/openapi/document.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";

type Ref = { $ref: string };
type Declared = Ref | { content?: Record<string, unknown> };
type Operation = { operationId: string; responses: Record<string, Declared> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Exclude<Declared, Ref>>;
  };
};

/** The exported document, made once. */
export const theDocument = once(
  () => createDocument(appRouter, "http://127.0.0.1:3000") as unknown as Document,
);

/** Fails when an answer of the REST face is not one that the document allows; what is no such answer passes. */
export async function checkAnswer(method: string, url: string, answer: Response): Promise<void> {
  const path = /\/api\/v1(\/[^?#]*)/.exec(url)?.[1];
  if (path === undefined || path.startsWith("/openapi.") || method === "HEAD") return;
  const { status } = answer;
  // A stream has no end to wait for.
  const text = isStream(answer) ? "" : await answer.text();
  const say = (fault: string) =>
    new Error(`${method} ${path} answered ${status} against the document: ${fault}\n${text}`);
  const operation = operationOf(method, path);
  const content = operation === undefined ? onlyError : contentOf(operation, status);
  if (content === undefined) throw say("it declares no such status");
  if (text === "" && (status === 304 || Object.keys(content).length === 0)) return;
  const [type = ""] = (answer.headers.get("content-type") ?? "").split(";");
  if (Object.hasOwn(content, "*/*")) return;
  if (!Object.hasOwn(content, type)) throw say(`it has no ${type} there`);
  if (type !== "application/json") return;
  const key = operation === undefined ? "" : `${operation.operationId} ${status}`;
  const validate = validatorOf(key, content[type]);
  if (validate(JSON.parse(text))) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  throw say(faults.join("; "));
}

/** Whether an answer is a stream of server-sent events. */
export const isStream = (answer: Response) =>
  answer.headers.get("content-type")?.startsWith("text/event-stream") === true;

const onlyError = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };

const routes = once(() =>
  routesOf(appRouter).flatMap(({ method, path, more }) =>
    [path, more.alias ?? []].flat().map((one) => ({
      method,
      operation: theDocument().paths[path]?.[method.toLowerCase()],
      pattern: new RegExp(`^${one.replace(/\{\w+\}/g, "[^/]+")}/?$`),
    })),
  ),
);

const operationOf = (method: string, path: string) =>
  routes().find((route) => route.method === method && route.pattern.test(path))?.operation;

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
  const made = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(made);
  made.addSchema(readable({ $id: "document", $defs: theDocument().components.schemas }));
  return made;
});

// References point into the document, of which a validator reads only the schemas.
const readable = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "document#/$defs/"));

const validators = new Map<string, ValidateFunction>();
function validatorOf(key: string, media: unknown): ValidateFunction {
  let validate = validators.get(key);
  if (validate === undefined) {
    const { schema } = media as { schema: object };
    validators.set(key, (validate = ajv().compile(readable(schema))));
  }
  return validate;
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
