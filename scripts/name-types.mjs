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

/** The lines of an object type, moved to the left margin. */
function body(lines, indent) {
  return lines.map((line) => line.slice(indent));
}

/**
 * Replaces the object types that have a schema with the name of it, innermost first.
 *
 * `lines` have a `text`, and `schema` where an object type opens. Returns the texts, and the types by
 * name. A type with another shape than the first one of its name stays as it is.
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
      open.push({ indent: indentOf(text), head: text, name: nameOf(schema), lines: [] });
      continue;
    }
    // A union of object types has no name of its own.
    if (text.endsWith("{")) {
      frame.name = undefined;
      frame.lines.push(text);
      continue;
    }
    open.pop();
    const outer = open.at(-1).lines;
    const fields = body(frame.lines, frame.indent);
    const shape = fields.filter((line) => !isComment(line)).join("\n");
    const { name } = frame;
    if (name === undefined || reserved.has(name) || (types.get(name)?.shape ?? shape) !== shape) {
      outer.push(frame.head, ...frame.lines, text);
      continue;
    }
    if (!types.has(name)) types.set(name, { shape, text: ["{", ...fields, "}"].join("\n") });
    outer.push(`${frame.head.slice(0, -1)}${name}${text.trimStart().slice(1)}`);
  }
  return {
    texts: open[0].lines,
    types: new Map([...types].map(([name, type]) => [name, type.text])),
  };
}
