const indented = (value) => JSON.stringify(value, null, 2);

/** The example of a parameter as text. */
const valueOf = ({ example, schema }) => {
  const value = example ?? schema?.default ?? "";
  return Array.isArray(value) ? value.join(",") : String(value);
};

/** Whether an answer is a file. */
const isDownload = (type) => !/^(?:application\/json|text\/(?:event-stream|html))$/.test(type);

/** The example of a body. An update sends what it changes: one field of those that it may have. */
export function oneOfMany(method, media, document) {
  const example = media?.example;
  const isUpdate = method === "PUT" && document.resolve(media?.schema)?.required === undefined;
  return isUpdate && example !== undefined
    ? Object.fromEntries(Object.entries(example).slice(0, 1))
    : example;
}

/** A file for samples that send one. */
const ownFile = 'const file = new File(["Order the seeds"], "notes.txt", { type: "text/plain" });';

/** The parts of a request with the examples of an operation. */
function partsOf({ method, path, operation }, document, root) {
  const parameters = operation.parameters.map((one) => document.resolve(one));
  const inPath = parameters.filter((one) => one.in === "path");
  const content = operation.requestBody?.content ?? {};
  const isFile = "application/octet-stream" in content;
  // A body of bytes has its fields in the query.
  const isSent = ({ required, example }) => required || (isFile && example !== undefined);
  const inQuery = parameters.filter((one) => one.in === "query" && isSent(one));
  const query = inQuery.map((one) => `${one.name}=${encodeURIComponent(valueOf(one))}`).join("&");
  const filled = inPath.reduce((all, one) => all.replace(`{${one.name}}`, valueOf(one)), path);
  const [answer = "application/json"] = Object.keys(operation.responses["200"]?.content ?? {});
  const body = oneOfMany(method, content["application/json"], document);
  const input = Object.fromEntries([...inPath, ...inQuery].map((one) => [one.name, one.example]));
  const url = `${root}${filled}${query === "" ? "" : `?${query}`}`;
  const needsToken = operation.security.some((one) => "bearer" in one);
  const needsKey = operation.security.some((one) => "adminKey" in one);
  const headers = {
    ...(needsToken ? { Authorization: "Bearer YOUR_TOKEN" } : {}),
    ...(needsKey ? { "X-Admin-Key": "YOUR_ADMIN_KEY" } : {}),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(isFile ? { "Content-Type": "application/octet-stream" } : {}),
  };
  const isOfClient = !isFile && !needsKey && answer === "application/json";
  return { method, url, headers, body, isFile, answer, isOfClient, input: { ...input, ...body } };
}

function curl({ method, url, headers, body, isFile, answer }) {
  const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(indented(body))}`]),
    ...(isFile ? ["--data-binary @file"] : []),
    ...(answer === "text/event-stream" ? ["--no-buffer"] : []),
    ...(isDownload(answer) ? ["-o file"] : []),
  ];
  return lines.join(" \\\n  ");
}

function client(parts, id) {
  const origin = new URL(".", parts.url).origin;
  const special = {
    "attachment.upload": `${ownFile}\nawait boards.upload("${parts.input.cardPublicId}", file);`,
    "attachment.download": `const blob = await boards.download("${parts.input.attachmentPublicId}");`,
    "workspace.stream": `for await (const event of boards.events("${parts.input.workspacePublicId}")) {\n  console.log(event.type);\n}`,
    "user.stream":
      "for await (const event of boards.userEvents()) {\n  console.log(event.type);\n}",
  };
  if (!parts.isOfClient && !(id in special)) return withFetch(parts);
  const input = indented(parts.input).replaceAll(/^(\s*)"(\w+)":/gm, "$1$2:");
  const call = `const result = await boards.${id}(${input === "{}" ? "" : input});`;
  return [
    'import { createClient } from "@workspace-board-service/client";',
    "",
    `const boards = createClient({ url: "${origin}", auth: { token: "YOUR_TOKEN" } });`,
    special[id] ?? call,
  ].join("\n");
}

function withFetch({ method, url, headers, body, isFile, answer }) {
  const options = [
    method === "GET" ? "" : `  method: "${method}",`,
    Object.keys(headers).length === 0
      ? ""
      : `  headers: ${indented(headers).replaceAll("\n", "\n  ")},`,
    body === undefined ? "" : `  body: JSON.stringify(${indented(body).replaceAll("\n", "\n  ")}),`,
    isFile ? "  body: file," : "",
  ].filter(Boolean);
  const second = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  const read = {
    "application/json": "const result = await response.json();",
    "text/event-stream": [
      "const text = response.body.pipeThrough(new TextDecoderStream());",
      "for await (const lines of text) console.log(lines);",
    ].join("\n"),
  };
  const file = "const blob = await response.blob();";
  const given = isFile ? `${ownFile}\n` : "";
  return `${given}const response = await fetch("${url}"${second});\n${read[answer] ?? file}`;
}

function python({ method, url, headers, body, isFile, answer }) {
  const literal = (value) =>
    indented(value)
      .replaceAll(/: true\b/g, ": True")
      .replaceAll(/: false\b/g, ": False")
      .replaceAll(/: null\b/g, ": None")
      .replaceAll("\n", "\n    ");
  const read = {
    "application/json": ["print(response.json())"],
    "text/event-stream": [
      "for line in response.iter_lines(decode_unicode=True):",
      "    print(line)",
    ],
  };
  const lines = [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(Object.keys(headers).length === 0 ? [] : [`    headers=${literal(headers)},`]),
    ...(body === undefined ? [] : [`    json=${literal(body)},`]),
    ...(isFile ? ['    data=open("file", "rb"),'] : []),
    ...(answer === "text/event-stream" ? ["    stream=True,"] : []),
    ")",
    "response.raise_for_status()",
    ...(read[answer] ?? ['open("file", "wb").write(response.content)']),
  ];
  return lines.join("\n");
}

/** Code that calls an operation, by language. */
export function samplesOf(entry, document, root) {
  const parts = partsOf(entry, document, root);
  return {
    curl: () => curl(parts),
    TypeScript: () => client(parts, entry.id),
    fetch: () => withFetch(parts),
    Python: () => python(parts),
  };
}
