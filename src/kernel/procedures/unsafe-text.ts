type Node = { value: unknown; step?: string | number; parent?: Node };

/** The path to text that PostgreSQL or JSON cannot store, if there is such text. */
export function unsafeText(root: unknown): (string | number)[] | undefined {
  // One pass without recursion: the input may nest to any depth.
  const open: Node[] = [{ value: root }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value } = node;
    if (typeof value === "string") {
      if (value.includes("\0") || !value.isWellFormed()) return pathOf(node);
    } else if (Array.isArray(value)) {
      for (const [step, item] of value.entries()) open.push({ value: item, step, parent: node });
    } else if (typeof value === "object" && value !== null) {
      for (const [step, item] of Object.entries(value)) {
        open.push({ value: item, step, parent: node });
      }
    }
  }
  return undefined;
}

function pathOf(node: Node): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Node | undefined = node; at?.step !== undefined; at = at.parent) path.push(at.step);
  return path.toReversed();
}
