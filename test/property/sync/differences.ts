type Any = any;

const isObject = (value: unknown): value is Record<string, Any> =>
  typeof value === "object" && value !== null;

/** The paths at which two values differ, each with what the copy and the service show. */
export function differences(copy: Any, fresh: Any, path = ""): string[] {
  if (Object.is(copy, fresh)) return [];
  if (!isObject(copy) || !isObject(fresh)) {
    const [one, other] = [JSON.stringify(copy), JSON.stringify(fresh)];
    return [`${path}: the copy has ${one}, the service ${other}`];
  }
  const names = new Set([...Object.keys(copy), ...Object.keys(fresh)]);
  return [...names].flatMap((name) => differences(copy[name], fresh[name], `${path}/${name}`));
}
