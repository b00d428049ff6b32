import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { adminKey } from "./example-request.ts";

type Any = any;

/** The code that the reference page shows for an operation, by language. */
export const { samplesOf } = await import(pathToFileURL(resolve("reference/samples.js")).href);

/** Follows the references of a document. */
export const resolveIn = (document: Any) => (one: Any) =>
  one?.$ref === undefined
    ? one
    : one.$ref
        .split("/")
        .slice(1)
        .reduce((inside: Any, step: string) => inside[step], document);

/** An operation whose examples are an input of real resources. */
export function withExamples(operation: Any, input: Readonly<Record<string, unknown>>): Any {
  const parameters = operation.parameters.map((one: Any) =>
    one.example === undefined ? one : { ...one, example: input[one.name] },
  );
  const media = operation.requestBody?.content["application/json"];
  if (media === undefined) return { ...operation, parameters };
  const example = Object.fromEntries(Object.keys(media.example).map((key) => [key, input[key]]));
  const content = { "application/json": { ...media, example } };
  return { ...operation, parameters, requestBody: { ...operation.requestBody, content } };
}

/** The request that a sample with `fetch` sends, with a real token and the bytes of a file. */
export function requestIn(sample: string, token: string, file: string): Request {
  const code = sample.replace("YOUR_TOKEN", token).replace("YOUR_ADMIN_KEY", adminKey);
  const [, call = ""] =
    /^(?:const file = .*;\n)?const response = await (fetch\([^]*?\));\n/.exec(code) ?? [];
  const send = (url: string, options?: RequestInit) => new Request(url, options);
  const request: unknown = runInNewContext(call, { fetch: send, file });
  if (!(request instanceof Request)) throw new Error(`The sample sends no request: ${sample}`);
  return request;
}
