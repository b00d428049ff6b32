import { readFile } from "node:fs/promises";

/** The tables of `docs/sync.md` with patches: those of boards, and those of snapshots. */
const tables = { boards: "## Apply events", snapshots: "## Snapshot" };

/** A patch table of `docs/sync.md`: the patch of each event type. */
export async function readPatchTable(name: keyof typeof tables): Promise<Map<string, string>> {
  const text = await readFile(new URL("../../../docs/sync.md", import.meta.url), "utf8");
  const [, section = ""] = text.split(`\n${tables[name]}\n`);
  const [own = ""] = section.split("\n## ");
  const rows = own.matchAll(/^\| (`[a-z_.`, ]+`) +\| ([a-z ]+?) +\|/gm);
  return new Map(
    [...rows].flatMap(([, types = "", patch = ""]) =>
      types.split(", ").map((type): [string, string] => [type.replaceAll("`", ""), patch]),
    ),
  );
}

/** Both tables. */
export const readPatchTables = async () => ({
  boards: await readPatchTable("boards"),
  snapshots: await readPatchTable("snapshots"),
});
