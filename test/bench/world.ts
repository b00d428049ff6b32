import { type Api, signUp } from "./api.ts";

const colourCode = "#1f2e3d";

/** A workspace of two members, with a board of `count` cards. */
export async function makeBoard(api: Api, origin: string, count: number) {
  const workspace = await api.post("/workspaces", { name: "Bench" });
  return { workspace, ...(await makeBoardIn(workspace, api, origin, count)) };
}

/**
 * A new member of a workspace, and a board of 10 lists, 20 labels and `count` cards: each with a
 * description, two labels and a due date, every second with the member, every fifth with a checklist.
 */
export async function makeBoardIn(
  workspace: { publicId: string },
  api: Api,
  origin: string,
  count: number,
) {
  const invite = await api.post(`/workspaces/${workspace.publicId}/invites`, { role: "member" });
  const other = await signUp(origin, "Other");
  const { memberPublicId } = await other.post("/invites/accept", { inviteCode: invite.inviteCode });
  const board = await api.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Board",
    lists: Array.from({ length: 10 }, (_, index) => `List ${index}`),
    labels: Array.from({ length: 20 }, (_, index) => ({ name: `Label ${index}`, colourCode })),
  });
  const at = <Item>(items: Item[], index: number) => items[index % items.length];
  for (let index = 0; index < count; index++) {
    await api.post("/cards", {
      listPublicId: at<any>(board.lists, index).publicId,
      title: `Card ${index}: what is to be done, in one line`,
      description: "More about it, in a paragraph of the usual length.",
      dueDate: "2030-01-31T10:00:00.000Z",
      labelPublicIds: [
        at<any>(board.labels, index).publicId,
        at<any>(board.labels, index + 7).publicId,
      ],
      memberPublicIds: index % 2 === 0 ? [memberPublicId] : [],
      checklists:
        index % 5 === 0 ? [{ name: "To do", items: ["One", "Two", "Three", "Four"] }] : [],
    });
  }
  return { board, memberPublicId };
}

/** A card with three labels, a member, and two checklists of five items. */
export async function makeCard(api: Api, origin: string) {
  const { board, memberPublicId } = await makeBoard(api, origin, 20);
  return api.post("/cards", {
    listPublicId: board.lists[0].publicId,
    title: "A card with everything on it",
    description: "More about it, in a paragraph of the usual length.",
    labelPublicIds: board.labels.slice(0, 3).map((label: any) => label.publicId),
    memberPublicIds: [memberPublicId],
    checklists: ["One", "Two"].map((name) => ({ name, items: ["a", "b", "c", "d", "e"] })),
  });
}

/** The public ids of the lists of new boards, one board a call, in one workspace or in one each. */
export async function makeLists(
  api: Api,
  { boards, lists, together }: { boards: number; lists: number; together: boolean },
): Promise<string[][]> {
  const made: string[][] = [];
  let workspace = await api.post("/workspaces", { name: "Bench" });
  for (let index = 0; index < boards; index++) {
    const board = await api.post(`/workspaces/${workspace.publicId}/boards`, {
      name: `Board ${index}`,
      lists: Array.from({ length: lists }, (_, position) => `List ${position}`),
    });
    made.push(board.lists.map((list: any) => list.publicId));
    if (!together) workspace = await api.post("/workspaces", { name: "Bench" });
  }
  return made;
}
