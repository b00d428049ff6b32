type Any = any;

/** A schema of the document and where it is. */
export type Located = { schema: Any; at: string };

const inner = ["items", "additionalProperties", "propertyNames", "not"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];

/** A schema and all schemas inside it; references are not followed. */
function schemasIn(schema: Any, at: string): Located[] {
  if (typeof schema !== "object" || schema === null) return [];
  return [
    { schema, at },
    ...Object.entries<Any>(schema.properties ?? {}).flatMap(([name, one]) =>
      schemasIn(one, `${at}.${name}`),
    ),
    ...inner.flatMap((keyword) => schemasIn(schema[keyword], `${at}/${keyword}`)),
    ...lists.flatMap((keyword) =>
      (schema[keyword] ?? []).flatMap((one: Any, index: number) =>
        schemasIn(one, `${at}/${keyword}/${index}`),
      ),
    ),
  ];
}

/** All schemas of a document: of components, parameters, headers, bodies and answers. */
export function schemasOf(document: Any): Located[] {
  const named = Object.entries(document.components.schemas).map(([name, schema]) => ({
    schema,
    at: name,
  }));
  const others: Located[] = [];
  const visit = (value: Any, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries<Any>(value)) {
      if (/^examples?$|^schemas$/.test(key)) continue;
      if (key === "schema") others.push({ schema: one, at });
      else visit(one, `${at}/${key}`);
    }
  };
  visit(document, "");
  return [...named, ...others].flatMap(({ schema, at }) => schemasIn(schema, at));
}
