import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("every container of compose.yaml is read-only, and has no capability and no new privileges", () => {
  const { services } = parse(read("compose.yaml"), { merge: true });
  const hardened = {
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
  };
  expect(Object.keys(services)).toEqual(["service", "postgres"]);
  for (const service of Object.values(services)) expect(service).toMatchObject(hardened);
});

test("every action of a workflow is pinned by its digest, with its version beside it", () => {
  const files = readdirSync(new URL("../../.github/workflows", import.meta.url));
  const uses = files.flatMap((file) => read(`.github/workflows/${file}`).match(/uses: .*/g) ?? []);
  expect(uses.length).toBeGreaterThan(5);
  for (const one of uses) expect(one).toMatch(/@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});
