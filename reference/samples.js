const indented = (value) => JSON.stringify(value, null, 2);

/** The example of a parameter as text. */
const valueOf = ({ example, schema }) => {
  const value = example ?? schema?.default ?? "";
  return Array.isArray(value) ? value.join(",") : String(value);
};

/** The parts of a request with the examples of an operation. */
function partsOf({ method, path, operation }, document, root) {
  const parameters = operation.parameters.map((one) => document.resolve(one));
  const inPath = parameters.filter((one) => one.in === "path");
  const inQuery = parameters.filter((one) => one.in === "query" && one.required);
  const query = inQuery.map((one) => `${one.name}=${encodeURIComponent(valueOf(one))}`).join("&");
  const filled = inPath.reduce((all, one) => all.replace(`{${one.name}}`, valueOf(one)), path);
  const content = operation.requestBody?.content ?? {};
  const body = content["application/json"]?.example;
  const isFile = "application/octet-stream" in content;
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
  return { method, url, headers, body, isFile, input: { ...input, ...body } };
}

function curl({ method, url, headers, body, isFile }) {
  const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
    ...(isFile ? ["--data-binary @file"] : []),
  ];
  return lines.join(" \\\n  ");
}

function client(parts, id) {
  const origin = new URL(".", parts.url).origin;
  const special = {
    "attachment.upload": "await boards.upload(cardPublicId, file);",
    "attachment.download": "const blob = await boards.download(attachmentPublicId);",
    "workspace.stream":
      "for await (const event of boards.events(workspacePublicId)) {\n  console.log(event.type);\n}",
  };
  const input = indented(parts.input).replaceAll(/^(\s*)"(\w+)":/gm, "$1$2:");
  const call = `const result = await boards.${id}(${input === "{}" ? "" : input});`;
  return [
    'import { createClient } from "@workspace-board-service/client";',
    "",
    `const boards = createClient({ url: "${origin}", auth: { token: "YOUR_TOKEN" } });`,
    special[id] ?? (parts.isFile ? "// Send the file with fetch." : call),
  ].join("\n");
}

function withFetch({ method, url, headers, body, isFile }) {
  const options = [
    method === "GET" ? "" : `  method: "${method}",`,
    Object.keys(headers).length === 0
      ? ""
      : `  headers: ${indented(headers).replaceAll("\n", "\n  ")},`,
    body === undefined ? "" : `  body: JSON.stringify(${indented(body).replaceAll("\n", "\n  ")}),`,
    isFile ? "  body: file," : "",
  ].filter(Boolean);
  const second = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `const response = await fetch("${url}"${second});\nconst result = await response.json();`;
}

function python({ method, url, headers, body, isFile }) {
  const literal = (value) =>
    indented(value)
      .replaceAll(/: true\b/g, ": True")
      .replaceAll(/: false\b/g, ": False")
      .replaceAll(/: null\b/g, ": None")
      .replaceAll("\n", "\n    ");
  const lines = [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(Object.keys(headers).length === 0 ? [] : [`    headers=${literal(headers)},`]),
    ...(body === undefined ? [] : [`    json=${literal(body)},`]),
    ...(isFile ? ['    data=open("file", "rb"),'] : []),
    ")",
    "response.raise_for_status()",
    "print(response.json())",
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
