import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, parseAst, transformWithEsbuild } from "vite";
import { beforeAll, expect, test, vi } from "vitest";
import { anySignal } from "../../src/client/transport.ts";

/** The oldest browsers, as docs/client.md and the README of the package name them. */
const targets = ["chrome110", "firefox115", "safari16.4"];

/**
 * What the client uses of the platform. Add what these browsers have: see MDN.
 *
 * The methods of objects are those of ES2023, which the compiler checks.
 */
const allowed = new Set(
  `AbortController AbortSignal Array.from Array.isArray Blob BroadcastChannel DOMException Date
  Date.now Date.parse Error FormData Headers Infinity Intl.DateTimeFormat Intl.NumberFormat JSON.parse
  JSON.stringify Map Math.abs Math.floor Math.max Math.min Math.random Number Number.NEGATIVE_INFINITY
  Number.NaN Number.isFinite Number.isNaN Object Object.assign Object.defineProperties Object.defineProperty Object.entries Object.fromEntries
  Object.getOwnPropertyDescriptor Object.getOwnPropertyDescriptors Object.getOwnPropertySymbols
  Object.hasOwn Object.is Object.keys Object.setPrototypeOf Object.values Promise Promise.all Promise.resolve Proxy
  RegExp Response Set String String.raw Symbol Symbol.asyncIterator Symbol.iterator Symbol.prototype
  Symbol.toPrimitive TextDecoder TextEncoder TransformStream TypeError URL URLSearchParams Uint8Array
  Uint8Array.from WeakMap WebSocket arguments arguments.length atob clearTimeout console.warn
  crypto.getRandomValues crypto.subtle encodeURIComponent globalThis globalThis.fetch parseInt
  queueMicrotask setTimeout window window.fetch`.split(/\s+/),
);
/** Used where it exists. */
const optional = new Set(["AbortSignal.any"]);
/** Methods of objects that are newer than these browsers, and that the compiler knows. */
const tooNew = /\.(?:bytes|getSetCookie|isWellFormed|toWellFormed|transfer)\(/;

type Node = { type: string; name?: string; computed?: boolean; [key: string]: unknown };
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** The names that a pattern declares. */
function declaredBy(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === "Identifier") return [String(pattern.name)];
  const parts = [pattern["left"], pattern["argument"], pattern["elements"], pattern["properties"]];
  if (pattern.type === "Property") return declaredBy(pattern["value"]);
  return parts.flat().flatMap(declaredBy);
}

/** Whether the identifier at a key of a node names a property, a label or an export. */
const isName = (parent: Node, key: string) =>
  /^(?:Export|Import)Specifier$|^(?:Labeled|Break|Continue)Statement$/.test(parent.type) ||
  (parent.computed !== true &&
    ((parent.type === "MemberExpression" && key === "property") ||
      (/^(?:Property|PropertyDefinition|MethodDefinition)$/.test(parent.type) && key === "key")));

/** The globals that a program uses, each with the member of it, such as `Object.keys`. */
function globalsOf(code: string): string[] {
  const declared = new Set<string>();
  const used = new Set<string>();
  const visit = (node: Node, parent: Node, key: string): void => {
    const { type, id, params, param, local } = node;
    if (/^Variable|Function|^Class|^Import|^Catch/.test(type)) {
      for (const name of [id, params, param, local].flat().flatMap(declaredBy)) declared.add(name);
    }
    if (type === "Identifier" && !isName(parent, key)) {
      const isObject = parent.type === "MemberExpression" && key === "object" && !parent.computed;
      const member = isObject ? `.${String((parent["property"] as Node).name)}` : "";
      used.add(`${node.name}${member}`);
    }
    for (const [name, value] of Object.entries(node)) {
      for (const child of [value].flat().filter(isNode)) visit(child, node, name);
    }
  };
  visit(parseAst(code) as unknown as Node, { type: "" }, "");
  return [...used].filter((name) => !declared.has(name.replace(/\..*/, "")));
}

const entries = ["index", "store/index", "react/index", "tanstack-db/index"];
let chunks: string[] = [];
beforeAll(async () => {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      write: false,
      target: "esnext",
      minify: false,
      ssr: true,
      rollupOptions: {
        input: entries.map((entry) => `src/client/${entry}.ts`),
        preserveEntrySignatures: "strict",
        external: ["react", /^@tanstack\//],
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("Nothing was built.");
  chunks = output.output.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
});

test("docs and package name the oldest browsers", () => {
  const [chrome, firefox, safari] = targets.map((target) => target.replace(/^[a-z]+/, ""));
  const text = `Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`;
  for (const file of ["docs/client.md", "src/client/README.md"]) {
    expect(readFileSync(file, "utf8").replaceAll(/\s+/g, " ")).toContain(text);
  }
});

test("the client and tRPC use what the oldest browsers have", () => {
  const used = chunks.flatMap(globalsOf);
  expect(used.filter((name) => !allowed.has(name) && !optional.has(name))).toEqual([]);
  expect([...allowed].filter((name) => !used.includes(name))).toEqual([]);
  for (const file of readdirSync("src/client", { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file) || file.startsWith("server")) continue;
    expect(readFileSync(join("src/client", file), "utf8"), file).not.toMatch(tooNew);
  }
});

test("the oldest browsers have the syntax of the client and of tRPC", async () => {
  for (const code of chunks) {
    const parsed = await transformWithEsbuild(code, "client.js", { target: "esnext" });
    const lowered = await transformWithEsbuild(code, "client.js", { target: targets });
    expect(lowered.code).toBe(parsed.code);
  }
});

test("signals are combined without `AbortSignal.any`", () => {
  const any = vi.spyOn(AbortSignal, "any");
  Reflect.deleteProperty(AbortSignal, "any");
  try {
    const [one, two] = [new AbortController(), new AbortController()];
    const combined = anySignal([one.signal, two.signal]);
    expect(combined.aborted).toBe(false);
    const reason = new Error("the page is left");
    two.abort(reason);
    one.abort();
    expect(combined.reason).toBe(reason);
    expect(anySignal([one.signal, two.signal]).aborted).toBe(true);
  } finally {
    any.mockRestore();
  }
  expect("any" in AbortSignal).toBe(true);
});
