type Components = Record<string, Record<string, unknown>>;

/** The components that are referenced, and all security schemes, sorted by name. */
export function usedComponents({
  paths,
  webhooks,
  components,
}: {
  paths: unknown;
  webhooks?: unknown;
  components: Components;
}): Components {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("$ref" in value && typeof value.$ref === "string" && !used.has(value.$ref)) {
      used.add(value.$ref);
      const [group = "", name = ""] = value.$ref.split("/").slice(2);
      visit(components[group]?.[name]);
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(paths);
  visit(webhooks);
  return Object.fromEntries(
    Object.entries(components).map(([group, members]) => [
      group,
      Object.fromEntries(
        Object.entries(members)
          .filter(
            ([name]) => group === "securitySchemes" || used.has(`#/components/${group}/${name}`),
          )
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      ),
    ]),
  );
}
