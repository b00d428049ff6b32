import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { callWith, places } from "./places.ts";

const app = useApp();

test("filters are accepted in many places", () => {
  expect(places.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["board.cards", "board.queryCards", "card.bulkUpdate", "view.update"]),
  );
});

describe.each(places.map((place) => [place.name, place] as const))(
  "a filter that %s refuses",
  (_, place) => {
    test("is reported with the path of its condition", async () => {
      const workspace = await makeWorkspace(app());
      const { rest } = workspace.admin;
      const { publicId: boardPublicId } = await makeBoard(workspace);
      const fields = `/boards/${boardPublicId}/fields`;
      const field = (await rest.post(fields, { name: "Size", type: "number" })).body;
      const views = `/workspaces/${workspace.publicId}/views`;
      const viewPublicId = (await rest.post(views, { name: "View" })).body.publicId;
      const ids = { boardPublicId, workspacePublicId: workspace.publicId, viewPublicId };
      for (const wrong of [
        { field: "isComplete", op: "is", value: "yes" } as const,
        { field: `fields.${field.publicId}`, op: "is", value: "three" } as const,
      ]) {
        const filter = {
          and: [{ not: { field: "title", op: "isEmpty" as const } }, { or: [wrong] }],
        };
        const reply = await callWith(workspace.admin, place, ids, filter);
        const at = [...place.path, "and", 1, "or", 0, "value"];
        expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: at }] } });
      }
    });
  },
);
