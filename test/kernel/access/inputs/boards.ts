import type { Operation } from "../../../../src/contract/policy.ts";
import { publicId } from "../../../../src/platform/db/public-id.ts";
import {
  forgetFavourites,
  forgetPrivateViews,
  setDeleted as setRowDeleted,
} from "../../../support/rows.ts";
import { field, label, list, lowMember, text, view } from "../targets.ts";
import type { World } from "../world.ts";
import { given, on, onBoard, onWorkspace, type Make } from "./make.ts";

/** Deletes or restores the board without events and new versions, which other calls compare. */
const setDeleted = ({ app, fixtures }: World, deletedAt: Date | null) =>
  setRowDeleted(app, "boards", fixtures.ids.board, deletedAt);

/** Good inputs of what is done to boards, their lists and their labels. */
export const boardInputs = {
  "board.get": onBoard(),
  "board.list": onWorkspace(),
  "board.getBySlug": on(async ({ fixtures }) => {
    const { publicId: home, slug, admin } = fixtures.workspace;
    const fields = { name: text(), visibility: "public" };
    const { body } = await admin.rest.post(`/workspaces/${home}/boards`, fields);
    return { workspaceSlug: slug, boardSlug: body.slug };
  }),
  "board.cards": onBoard(),
  "board.queryCards": onBoard(() => ({ filter: { field: "title", op: "isNotEmpty" } })),
  "board.groups": onBoard(() => ({ groupBy: "label" })),
  "board.exportCsv": onBoard(),
  "board.members": onBoard(),
  "board.activity": onBoard(),
  "board.checkSlugAvailability": onBoard(() => ({ slug: publicId() })),
  "board.favourite": onBoard(async ({ app, fixtures }) => {
    await forgetFavourites(app, fixtures.ids.board);
    return { isFavourite: true };
  }),
  "board.create": onWorkspace(() => ({ name: text() })),
  "board.update": onBoard(() => ({ description: text() })),
  "board.delete": (world) => ({
    ...given({ boardPublicId: world.fixtures.ids.board }),
    undo: () => setDeleted(world, null),
  }),
  "board.restore": async (world) => {
    await setDeleted(world, world.app.deps.clock());
    return {
      ...given({ boardPublicId: world.fixtures.ids.board }),
      undo: () => setDeleted(world, null),
    };
  },
  // To its own workspace: test/domain/boards covers the other inputs.
  "board.move": onBoard(({ fixtures }) => ({
    workspacePublicId: fixtures.ids.workspace,
  })),
  "board.addMember": onBoard(async (world) => ({
    memberPublicId: (await lowMember(world)).publicId,
  })),
  "board.removeMember": onBoard(async (world) => {
    const { publicId: memberPublicId } = await lowMember(world);
    const { admin, ids } = world.fixtures;
    await admin.rest.put(`/boards/${ids.board}/members/${memberPublicId}`);
    return { memberPublicId };
  }),

  "list.get": on(({ fixtures }) => ({ listPublicId: fixtures.ids.list })),
  "list.create": onBoard(() => ({ name: text() })),
  "list.cards": on(({ fixtures }) => ({ listPublicId: fixtures.ids.list })),
  "list.update": on(async (world) => ({ listPublicId: await list(world), name: text() })),
  "list.delete": on(async (world) => ({ listPublicId: await list(world) })),
  "list.restore": on(async (world) => {
    const listPublicId = await list(world);
    await world.fixtures.admin.rest.delete(`/lists/${listPublicId}`);
    return { listPublicId };
  }),
  "list.moveCards": on(async (world) => ({
    listPublicId: await list(world, "One"),
    targetListPublicId: world.fixtures.ids.list,
  })),
  // On its own board: test/domain/lists covers the others.
  "list.move": on(async (world) => {
    const listPublicId = await list(world);
    // The list is no longer at the end, where it moves to.
    await list(world);
    return { listPublicId, boardPublicId: world.fixtures.ids.board };
  }),
  "list.sort": on(async (world) => ({ listPublicId: await list(world, "B", "A"), by: "title" })),

  "label.list": onBoard(),
  "label.get": on(({ fixtures }) => ({ labelPublicId: fixtures.ids.label })),
  "label.create": onBoard(() => ({ name: text(), colourCode: "#abcdef" })),
  "label.update": on(async (world) => ({
    labelPublicId: await label(world),
    name: text(),
    colourCode: "#123456",
  })),
  "label.delete": on(async (world) => ({ labelPublicId: await label(world) })),

  "field.list": onBoard(),
  "field.create": onBoard(() => ({ name: text(), type: "number" })),
  "field.update": on(async (world) => ({ fieldPublicId: await field(world), name: text() })),
  "field.delete": on(async (world) => ({ fieldPublicId: await field(world) })),
  "field.restore": async (world) => {
    const fieldPublicId = await field(world);
    // A board has fewer fields than there are callers.
    const undo = () => world.fixtures.admin.rest.delete(`/fields/${fieldPublicId}`);
    await undo();
    return { input: { fieldPublicId }, undo };
  },

  "view.list": onWorkspace(),
  "view.get": on(({ fixtures }) => ({ viewPublicId: fixtures.ids.view })),
  // Private: other scopes require more, which test/domain/views covers.
  "view.create": async (world) => {
    const { app, fixtures } = world;
    await forgetPrivateViews(app, fixtures.id);
    return given({ workspacePublicId: fixtures.ids.workspace, name: text() });
  },
  "view.update": on(async (world) => ({ viewPublicId: await view(world), name: text() })),
  "view.delete": on(async (world) => ({ viewPublicId: await view(world) })),
  "view.restore": on(async (world) => {
    const viewPublicId = await view(world);
    await world.fixtures.admin.rest.delete(`/views/${viewPublicId}`);
    return { viewPublicId };
  }),
  "view.cards": on(({ fixtures }) => ({ viewPublicId: fixtures.ids.view })),
  "view.groups": on(({ fixtures }) => ({ viewPublicId: fixtures.ids.view })),
} satisfies Partial<Record<Operation, Make>>;
