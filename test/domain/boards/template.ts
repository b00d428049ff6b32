import { makeCard, type Workspace } from "../../support/make.ts";

/** A template with everything that a copy takes along, and much that it does not. */
export async function makeTemplate(workspace: Workspace): Promise<string> {
  const { rest } = workspace.admin;
  const me = (await rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
  const { body: template } = await rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Template",
    description: "How we do it",
    type: "template",
    lists: ["Third", "Shelf"],
    labels: [
      { name: "Bug", colourCode: "#ff0000" },
      { name: "Idea", colourCode: "#00ff00" },
    ],
  });
  for (const name of ["Second", "First"])
    await rest.post("/lists", { name, boardPublicId: template.publicId, index: 0 });
  const { lists } = (await rest.get(`/boards/${template.publicId}`)).body;
  const [first, second, third, shelf] = lists.map(({ publicId }: { publicId: string }) => publicId);
  for (const title of ["c", "b", "a"])
    await rest.post("/cards", { title, listPublicId: first, index: 0 });
  const { body: full } = await rest.post("/cards", {
    title: "full",
    description: "Text",
    listPublicId: second,
    startDate: "2030-01-01T00:00:00Z",
    dueDate: "2030-02-01T00:00:00Z",
    labelPublicIds: template.labels.map(({ publicId }: { publicId: string }) => publicId),
    memberPublicIds: [me],
    checklists: [{ name: "Then", items: ["x", "y", "z"] }, { name: "Last" }],
  });
  await rest.put(`/cards/${full.publicId}`, { isComplete: true });
  const archived = await makeCard(workspace.admin, third, "archived");
  await rest.put(`/cards/${archived}`, { isArchived: true });
  const deleted = await makeCard(workspace.admin, third, "deleted");
  await rest.delete(`/cards/${deleted}`);
  await makeCard(workspace.admin, shelf, "on the shelf");
  await rest.put(`/lists/${shelf}`, { isArchived: true });
  await rest.put(`/lists/${second}`, { wipLimit: 7 });
  return template.publicId;
}
