import { readFile } from "node:fs/promises";

/** The patch table of `docs/sync.md`: the patch of each event type. */
export async function readPatchTable(): Promise<Map<string, string>> {
  const text = await readFile(new URL("../../../docs/sync.md", import.meta.url), "utf8");
  const rows = text.matchAll(/^\| (`[a-z_.`, ]+`) +\| ([a-z ]+?) +\|/gm);
  return new Map(
    [...rows].flatMap(([, types = "", patch = ""]) =>
      types.split(", ").map((type): [string, string] => [type.replaceAll("`", ""), patch]),
    ),
  );
}
