import { schemaDrift, updateByHandList, sources } from "./schema-drift.ts";

// npm run db:check: fails when schema.prisma, the migrations and by-hand.txt disagree.
// `--write` renews by-hand.txt.
const faults = await (process.argv.includes("--write")
  ? updateByHandList(sources)
  : schemaDrift(sources));
if (faults.length > 0) {
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write("schema.prisma, the migrations and by-hand.txt agree.\n");
}
