import { beforeAll, describe, expect, test } from "vitest";
import { runDue } from "../../src/jobs/worker.ts";
import { entriesOf, exported, fetched } from "../exports/fetching.ts";
import { minimalDocument } from "../exports/minimal.ts";
import { makeRich, type Rich } from "../exports/rich.ts";
import { useApp, type App } from "../support/app.ts";
import type { User } from "../support/make.ts";

const app = useApp();
let rich: Rich;
let document: any;
beforeAll(async () => {
  rich = await makeRich(app());
  document = await exported(app(), rich.admin.token, rich.workspace.publicId);
});

test("x", async () => {
  const r = new Request("http://service/api/v1/imports/workspace", { method: "POST", headers: { Authorization: `Bearer ${rich.admin.token}` }, body: JSON.stringify(document) });
  const a = await app().fetch(r);
  const body: any = await a.json();
  console.log(a.status, body);
  await runDue(app().deps);
  const { body: done } = await rich.admin.rest.get(`/imports/${body.publicId}`);
  console.log(JSON.stringify(done, null, 1));
  const again = await exported(app(), rich.admin.token, body.workspacePublicId);
  require("fs").writeFileSync("/tmp/e1.json", JSON.stringify(document, null, 1)); require("fs").writeFileSync("/tmp/e2.json", JSON.stringify(again, null, 1));
  console.log(again.counts);
});
