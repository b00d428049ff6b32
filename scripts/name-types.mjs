// Names the object types of the router's declaration: `output: Card` instead of its fields, so that
// editors and the compiler print the name.

/** The name of a schema, of its items, or of what it is when it is not null. */
export function nameOf(schema) {
  const { $ref, items, anyOf, oneOf } = schema ?? {};
  if ($ref !== undefined) return $ref.split("/").at(-1);
  if (items !== undefined) return nameOf(items);
  const members = (anyOf ?? oneOf)?.filter(({ type }) => type !== "null") ?? [];
  return members.length === 1 ? nameOf(members[0]) : undefined;
}

const indentOf = (line) => line.length - line.trimStart().length;
const isComment = (line) => line.trimStart().startsWith("/**");

/** The longest type that is shown as it is where it has no schema. */
const maxLength = 80;

/** The name of a field's type after that of its parent: `WorkspaceEntryWorkspace`. */
function pathOf(parent, head) {
  const [, first, rest] = /(\w)(\w*)"?\??: \(?\{$/.exec(head) ?? [];
  return parent === undefined || first === undefined
    ? undefined
    : `${parent}${first.toUpperCase()}${rest}`;
}

/** The lines of an object type, moved to the left margin. */
function body(lines, indent) {
  return lines.map((line) => line.slice(indent));
}

/**
 * Replaces the object types that have a schema with the name of it, innermost first.
 *
 * `lines` have a `text`, and `schema` where an object type opens. Returns the texts, and the types by
 * name. A long type is named after its parent and its field if it has no schema. So is one with another
 * shape than the first one of its name.
 */
export function nameTypes(lines, reserved) {
  const types = new Map();
  const open = [{ lines: [] }];
  for (const { text, schema } of lines) {
    const frame = open.at(-1);
    const isEnd = /^\s*\}/.test(text) && indentOf(text) === frame.indent;
    if (!isEnd && !text.endsWith("{")) {
      frame.lines.push(text);
      continue;
    }
    if (!isEnd) {
      const name = nameOf(schema);
      const path = pathOf(frame.path, text);
      const about = schema?.description;
      const [indent, head] = [indentOf(text), text];
      const names = { name, path: name ?? path, fallback: path };
      open.push({ indent, head, ...names, about, depth: 0, lines: [] });
      continue;
    }
    // A union of object types has no schema of its own.
    if (text.endsWith("{")) {
      frame.name = undefined;
      frame.depth += Number(text.endsWith("({")) - Number(text.trimStart().startsWith("})"));
      frame.lines.push(text);
      continue;
    }
    open.pop();
    const outer = open.at(-1).lines;
    const fields = body(frame.lines, frame.indent);
    const shape = fields.filter((line) => !isComment(line)).join("\n");
    const isFree = (one) => !reserved.has(one) && (types.get(one)?.shape ?? shape) === shape;
    const names =
      shape.length > maxLength ? [frame.name, frame.path, frame.fallback] : [frame.name];
    const name = names.find((one) => one !== undefined && isFree(one));
    if (name === undefined) {
      outer.push(frame.head, ...frame.lines, text);
      continue;
    }
    const { about, depth } = frame;
    const declared = ["{", ...fields, `}${")".repeat(depth)}`].join("\n");
    if (!types.has(name)) types.set(name, { shape, about, text: declared });
    const rest = text.trimStart().slice(1 + depth);
    outer.push(`${frame.head.slice(0, -1)}${name}${rest}`.replace(/\((\w+)\)\[\]/, "$1[]"));
  }
  return { texts: open[0].lines, types };
}

/** Replaces long unions of texts with the names of their enumerations. Returns the lines and types. */
export function nameEnumerations(lines, schemas) {
  const declared = new Set(lines.map((line) => /^export type (\w+) =/.exec(line)?.[1]));
  const names = new Map();
  for (const [name, { enum: closed, "x-known-values": values = closed }] of Object.entries(
    schemas,
  )) {
    if (values !== undefined && !declared.has(name)) names.set(values.toSorted().join(), name);
  }
  const used = new Map();
  const nameIn = (union) => {
    const name = names.get(
      JSON.parse(`[${union.replaceAll(" | ", ",")}]`)
        .toSorted()
        .join(),
    );
    if (name === undefined || union.length <= maxLength) return union;
    used.set(name, { text: union, about: schemas[name].description });
    return name;
  };
  const named = lines.map((line) =>
    line.startsWith("export type")
      ? line
      : line.replaceAll(/"[^"]+"(?: \| "[^"]+")+/g, nameIn).replaceAll(/\((\w+)\)\[\]/g, "$1[]"),
  );
  return { lines: named, types: used };
}
