import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { exported } from "../exports/fetching.ts";
import { bring } from "./sending.ts";

const app = useApp({ isolated: true });

test.each(["Asia/Tokyo", null])("an imported workspace has the time zone %s", async (timeZone) => {
  const { admin, publicId } = await makeWorkspace(app());
  await admin.rest.put(`/workspaces/${publicId}`, { timeZone, weekStartDay: 3 });
  const document = await exported(app(), admin.token, publicId);
  expect(document.workspace).toMatchObject({ timeZone, weekStartDay: 3 });
  const { workspacePublicId } = await bring(app(), admin, document);
  const { body } = await admin.rest.get(`/workspaces/${workspacePublicId}`);
  expect(body).toMatchObject({ timeZone, weekStartDay: 3 });
  const again = await exported(app(), admin.token, workspacePublicId);
  expect(again.workspace.timeZone).toBe(timeZone);
});
