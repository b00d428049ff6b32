import { formatName, formatVersion } from "../../../src/transfer/format/workspace.ts";

const at = "2026-01-31T10:00:00.000Z";
const dated = { createdAt: at, updatedAt: at };
const undated = { startDate: null, dueDate: null, completedAt: null, archivedAt: null };

/**
 * The smallest document that has one of everything it must have: a board with a list, and two
 * cards.
 */
export const minimalDocument = (name = "Minimal") => ({
  format: formatName,
  version: formatVersion,
  exportedAt: at,
  workspace: {
    publicId: "workspace001",
    name,
    description: null,
    slug: "minimal",
    cardPrefix: "MIN",
    weekStartDay: 1,
    showEmailsToMembers: true,
    lastCardNumber: 2,
    ...dated,
  },
  roles: [
    {
      publicId: "rolerole0001",
      name: "member",
      description: "Works",
      hierarchyLevel: 50,
      isSystem: true,
      permissions: ["board:view", "card:view"],
    },
  ],
  members: [
    {
      publicId: "member000001",
      name: "Ada",
      email: "ada.of.the.document@example.com",
      rolePublicId: "rolerole0001",
      status: "active",
      overrides: [],
      createdAt: at,
      joinedAt: at,
    },
  ],
  boards: [
    {
      publicId: "board0000001",
      name: "Board",
      description: null,
      slug: "board",
      type: "regular",
      visibility: "private",
      archivedAt: null,
      ...dated,
      memberPublicIds: [],
      labels: [{ publicId: "label0000001", name: "Red", colourCode: "#ff0000" }],
      lists: [
        { publicId: "list00000001", name: "List", wipLimit: null, archivedAt: null, ...dated },
      ],
    },
  ],
  cards: [1, 2].map((number) => ({
    publicId: `card0000000${number}`,
    listPublicId: "list00000001",
    number,
    title: `Card ${number}`,
    description: null,
    ...undated,
    ...dated,
    aliases: [],
    labelPublicIds: [],
    memberPublicIds: [],
    checklists: [],
    attachments: [],
    comments: [],
    activity: [],
  })),
  counts: {
    roles: 1,
    members: 1,
    boards: 1,
    labels: 1,
    lists: 1,
    cards: 2,
    checklists: 0,
    checklistItems: 0,
    attachments: 0,
    comments: 0,
    activity: 0,
  },
  complete: true,
});
