import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { WorkspaceExport } from "../../src/exports/format.ts";
import { entriesOf, exported, fetched } from "../exports/fetching.ts";
import { makeRich, strange, type Rich } from "../exports/rich.ts";
import { useApp } from "../support/app.ts";
import { as } from "../support/as.ts";
import { join, makeUser } from "../support/make.ts";

const app = useApp();
let rich: Rich;
let document: any;
beforeAll(async () => {
  rich = await makeRich(app());
  document = await exported(app(), rich.admin.token, rich.workspace.publicId);
});

const cardOf = (publicId: string) =>
  document.cards.find((card: { publicId: string }) => card.publicId === publicId);
const boardOf = (publicId: string) =>
  document.boards.find((board: { publicId: string }) => board.publicId === publicId);

describe("the document of a workspace", () => {
  test("is of its own schema", () => {
    console.log(JSON.stringify(document.counts));
    expect(WorkspaceExport.safeParse(document).error?.issues).toBeUndefined();
  });
});
