import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isOperation, ruleOf } from "../../src/contract/policy.ts";
import { useService } from "../e2e/service.ts";
import { installClient } from "./installation.ts";

// What an editor shows for the installed client: the names of types, and a text for each property.
const service = useService();
const entries = ["", "/store", "/react", "/server", "/tanstack-db"];
const names = entries.map((_, index) => `entry${index}`);
const program = `
${entries.map((entry, index) => `import * as ${names[index]} from "@workspace-board-service/client${entry}";`).join("\n")}
const boards = entry0.createClient({ url: "" });
const me = await boards.user.me();
const board = await boards.board.get({ boardPublicId: "" });
const list = board.lists[0]!;
const card = await boards.card.create({ listPublicId: "", title: "" });
const members = await boards.member.list({ workspacePublicId: "" });
const attachment = await boards.upload("", new Blob());
const { board: view, cards: actions } = entry2.useBoard("");
const { card: detail } = entry2.useCard("");
const { workspace: ofWorkspaces } = boards;
declare const operations: entry0.Operations;
const { workspace: entry } = (await boards.workspace.list())[0]!;
declare const event: Extract<entry0.BoardEvent, { type: "card.created" }>;
const change: entry0.UpdateCardInput = { cardPublicId: "", title: "" };
`;
const printed = {
  boards: "Client",
  me: "User",
  board: "BoardWithCursor",
  list: "ListWithCards",
  card: "Card",
  members: "MemberPage",
  attachment: "AttachmentDetail",
  view: "BoardView | undefined",
  actions: "CardActions",
  detail: "CardDetail | undefined",
  ofWorkspaces: 'OperationsOf<"workspace">',
  entry: "WorkspaceEntryWorkspace",
  event: "CardCreatedEvent",
  change: "UpdateCardInput",
};

/** States and events, whose own texts say what their fields are, and types of standards. */
const exceptions = new Set([
  "BoardState",
  "CardHook",
  "LiveHook",
  "LiveState",
  "PagesHook",
  "BoardsHook",
  "BoardsState",
  "CardState",
  "BoardHook",
  "EventOf",
  "IssuerKey",
]);

let project: string;
let checker: ts.TypeChecker;
let source: ts.SourceFile;
const symbols = new Map<string, ts.Symbol>();
const checked = new Set<ts.Symbol>();

beforeAll(async () => {
  project = await installClient(service());
  const file = join(project, "program.ts");
  await writeFile(file, program);
  const compiled = ts.createProgram([file], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
    strict: true,
    noEmit: true,
    types: [],
  });
  checker = compiled.getTypeChecker();
  const found = compiled.getSourceFile(file);
  if (found === undefined) throw new Error("The program is missing.");
  source = found;
  for (const symbol of checker.getSymbolsInScope(source, ts.SymbolFlags.Variable)) {
    symbols.set(symbol.name, symbol);
  }
});

afterAll(() => rm(project, { recursive: true }));

test.each(Object.entries(printed))("the type of `%s` is printed as %s", (name, expected) => {
  const symbol = symbols.get(name);
  const type = symbol === undefined ? "" : checker.getTypeOfSymbolAtLocation(symbol, source);
  expect(
    typeof type === "string" ? type : checker.typeToString(type, source).replace(/entry\d\./, ""),
  ).toBe(expected);
});

/** The inputs of all operations, by name. */
function inputs(): Map<string, ts.Type> {
  const symbol = symbols.get("operations");
  const operations = symbol && checker.getTypeOfSymbolAtLocation(symbol, source);
  const found = new Map<string, ts.Type>();
  for (const resource of operations?.getProperties() ?? []) {
    for (const method of checker.getTypeOfSymbol(resource).getProperties()) {
      const [call] = checker.getTypeOfSymbol(method).getCallSignatures();
      const [input] = call?.parameters ?? [];
      if (input === undefined) throw new Error(`${method.name} has no input.`);
      found.set(`${resource.name}.${method.name}`, checker.getTypeOfSymbol(input));
    }
  }
  return found;
}

test("the input of each operation is printed as a name", () => {
  const named = /^(?:\w+Input|Record<string, never>)(?: \| undefined)?$/;
  const printedInputs = [...inputs().values()].map((type) =>
    checker.typeToString(type, source).replace(/entry\d\./, ""),
  );
  expect(printedInputs.length).toBeGreaterThan(150);
  expect(printedInputs.filter((input) => !named.test(input))).toEqual([]);
});

test("an input has an id where its operation creates a resource, and only there", () => {
  for (const [name, input] of inputs()) {
    const rule = isOperation(name) ? ruleOf(name) : undefined;
    const hasId = checker.getNonNullableType(input).getProperty("publicId") !== undefined;
    expect([name, hasId]).toEqual([name, rule !== undefined && "creates" in rule]);
  }
});

/** The longest type without a name that is read at a glance. */
const maxPrinted = 120;

/** What is longer: types of tRPC, and one answer that has another form over REST. */
const longOnes = new Set(["createClient().links", "createClient().attachment.download()"]);

const isOfClient = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((node) => node.getSourceFile().fileName.includes("board-service/client/"));

/** The parameters, answers and properties of a type, each with its path. */
function partsOf(type: ts.Type, path: string): [string, ts.Type][] {
  const parts: [string, ts.Type][] = type
    .getCallSignatures()
    .map((one) => [`${path}()`, one.getReturnType()]);
  for (const { parameters } of type.getCallSignatures()) {
    for (const one of parameters)
      parts.push([`${path}(${one.name})`, checker.getTypeOfSymbol(one)]);
  }
  for (const one of type.getProperties().filter(isOfClient)) {
    parts.push([`${path}.${one.name}`, checker.getTypeOfSymbol(one)]);
  }
  return parts;
}

/** Whether a type is printed as a long expansion. What an event has is its `data`. */
function isLong(type: ts.Type, path: string): boolean {
  const isFunction = checker.getNonNullableType(type).getCallSignatures().length > 0;
  if (isFunction || /\.data(?:\.|$)/.test(path)) return false;
  const whole = ts.TypeFormatFlags.NoTruncation;
  const text = checker
    .typeToString(type, source, whole)
    .replaceAll(/entry\d\.|import\("[^"]*"\)\./g, "");
  return text.length > maxPrinted;
}

/** Adds the paths of long types. */
function collectLong(type: ts.Type, path: string, long: Set<string>, seen: Set<ts.Type>) {
  if (seen.has(type)) return;
  seen.add(type);
  const { objectFlags = 0 } = type as Partial<ts.TypeReference>;
  const isReference = (objectFlags & ts.ObjectFlags.Reference) !== 0;
  const given = isReference ? checker.getTypeArguments(type as ts.TypeReference) : [];
  const parts = type.isUnionOrIntersection() ? type.types : given;
  for (const part of parts) collectLong(part, path, long, seen);
  if (type.isUnionOrIntersection()) return;
  for (const [at, part] of partsOf(type, path)) {
    if (longOnes.has(at)) continue;
    if (isLong(part, at)) long.add(at);
    collectLong(part, at, long, seen);
  }
}

test("every parameter, answer and property has a type with a name, or a short one", () => {
  const long = new Set<string>();
  const seen = new Set<ts.Type>();
  for (const statement of source.statements.filter(ts.isImportDeclaration)) {
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      // The type of the router is for tRPC.
      if ((symbol.flags & ts.SymbolFlags.Value) === 0 || exported.name === "appRouter") continue;
      collectLong(checker.getTypeOfSymbol(symbol), exported.name, long, seen);
    }
  }
  expect(seen.size).toBeGreaterThan(1000);
  expect([...long]).toEqual([]);
});

const isTyped = (node: ts.Node) => ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node);

/** Whether the client's own files declare a property: the document has the texts of the others. */
const isOwn = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((node) => {
    const { fileName } = node.getSourceFile();
    const isClient = fileName.includes("board-service/client/") && isTyped(node.parent);
    return isClient && !fileName.endsWith("service.d.ts");
  });

/** Adds the own properties without a text in a type, in its parts, and in what a function takes. */
function collect(type: ts.Type, path: string, missing: Set<string>) {
  for (const signature of type.getCallSignatures()) {
    for (const parameter of signature.parameters) {
      collect(checker.getTypeOfSymbol(parameter), path, missing);
    }
  }
  for (const part of type.isUnionOrIntersection() ? type.types : []) collect(part, path, missing);
  if (type.isUnionOrIntersection()) return;
  for (const property of type.getProperties().filter(isOwn)) {
    const at = `${path}.${property.name}`;
    checked.add(property);
    if (property.getDocumentationComment(checker).length === 0) missing.add(at);
    const inner = checker.getTypeOfSymbol(property);
    if (inner.symbol?.name.endsWith("Actions")) collect(inner, at, missing);
  }
}

test("each export of the client has a text, and each property of its own types", () => {
  const missing = new Set<string>();
  for (const statement of source.statements.filter(ts.isImportDeclaration)) {
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const files = symbol.declarations?.map((node) => node.getSourceFile().fileName) ?? [];
      const isOfDocument = files.some((file) => file.endsWith("service.d.ts"));
      if (isOfDocument || exceptions.has(exported.name)) continue;
      if (symbol.getDocumentationComment(checker).length === 0) missing.add(symbol.name);
      const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
      const declared = checker.getDeclaredTypeOfSymbol(symbol);
      collect(isValue ? checker.getTypeOfSymbol(symbol) : declared, symbol.name, missing);
    }
  }
  expect(checked.size).toBeGreaterThan(150);
  expect([...missing]).toEqual([]);
});
