import type { PlankaData } from "../../support/planka.ts";

const at = (day: number) => `2024-03-${String(day).padStart(2, "0")}T08:00:00.000Z`;

const fieldGroup = (id: string, more: object) => ({
  id,
  boardId: null,
  cardId: null,
  baseCustomFieldGroupId: null,
  position: Number(id),
  name: null,
  createdAt: at(1),
  updatedAt: null,
  ...more,
});
const field = (id: string, more: object) => ({
  id,
  baseCustomFieldGroupId: null,
  customFieldGroupId: null,
  position: 1,
  showOnFrontOfCard: false,
  createdAt: at(1),
  updatedAt: null,
  ...more,
});
const fieldValue = (cardId: string, groupId: string, fieldId: string, content: string) => ({
  id: `${cardId}${groupId}${fieldId}`,
  cardId,
  customFieldGroupId: groupId,
  customFieldId: fieldId,
  content,
  createdAt: at(1),
  updatedAt: null,
});

/** A project with one board that has one of everything, and as many archived cards. */
export function plankaData(archived = 0): PlankaData {
  const of = { createdAt: at(1), updatedAt: null };
  const boardId = "200";
  const onBoard = { ...of, boardId };
  const card = (id: string, listId: string, position: number | null, more: object = {}) => ({
    ...onBoard,
    id,
    type: "project",
    name: `Card ${id}`,
    description: null,
    listId,
    prevListId: null,
    position,
    dueDate: null,
    isDueCompleted: null,
    isClosed: false,
    stopwatch: null,
    coverAttachmentId: null,
    creatorUserId: "10",
    listChangedAt: at(2),
    ...more,
  });
  const cards = [
    card("402", "301", 131072, {
      type: "story",
      dueDate: at(20),
      isDueCompleted: true,
      description: "Two *lines*",
    }),
    card("401", "301", 65536, {
      stopwatch: { total: 10, startedAt: null },
      coverAttachmentId: "701",
    }),
    card("403", "302", 65536, { isClosed: true, listChangedAt: at(9) }),
    ...Array.from({ length: archived }, (_, nth) =>
      card(String(410 + nth), "303", null, {
        prevListId: nth === 0 ? null : "301",
        listChangedAt: new Date(Date.UTC(2024, 5, 1, 0, nth)).toISOString(),
      }),
    ),
    card("499", "304", null, { name: "Thrown away" }),
  ];
  return {
    projects: [{ ...of, id: "100", name: "Website", description: "All of *it*", isFavorite: true }],
    boardMemberships: [
      { ...onBoard, id: "11", userId: "10", role: "editor", canComment: null },
      { ...onBoard, id: "12", userId: "11", role: "viewer", canComment: true },
    ],
    boards: [{ ...of, id: boardId, name: "Launch", position: 65536, projectId: "100" }],
    lists: [
      { ...onBoard, id: "302", type: "closed", position: 131072, name: "Done", color: null },
      { ...onBoard, id: "301", type: "active", position: 65536, name: "Doing", color: "berry-red" },
      { ...onBoard, id: "303", type: "archive", position: null, name: null, color: null },
      { ...onBoard, id: "304", type: "trash", position: null, name: null, color: null },
    ],
    labels: [
      { ...onBoard, id: "501", name: "Bug", color: "berry-red", position: 65536 },
      { ...onBoard, id: "502", name: null, color: "lagoon-blue", position: 131072 },
    ],
    cards,
    cardLabels: [
      { ...of, id: "1", cardId: "401", labelId: "501" },
      { ...of, id: "2", cardId: "401", labelId: "502" },
    ],
    cardMemberships: [{ ...of, id: "1", cardId: "401", userId: "10" }],
    taskLists: [{ ...of, id: "601", cardId: "401", name: "Steps", position: 65536 }],
    tasks: [
      { ...of, id: "612", taskListId: "601", name: "Second", position: 2, isCompleted: true },
      {
        ...of,
        id: "611",
        taskListId: "601",
        name: "First",
        position: 1,
        isCompleted: false,
        assigneeUserId: "11",
      },
    ],
    attachments: [
      {
        ...of,
        id: "701",
        type: "file",
        cardId: "401",
        name: "notes.txt",
        data: { filename: "notes.txt" },
      },
      {
        ...of,
        id: "702",
        type: "link",
        cardId: "402",
        name: "Site",
        data: { url: "https://example.com/" },
      },
    ],
    comments: Array.from({ length: 53 }, (_, nth) => ({
      id: String(800 + nth),
      cardId: "401",
      userId: nth % 2 === 0 ? "10" : "11",
      text: `Comment ${nth}`,
      createdAt: new Date(Date.UTC(2024, 2, 3, 0, nth)).toISOString(),
      updatedAt: nth === 0 ? at(4) : null,
    })),
    users: [
      { ...of, id: "10", name: "Ada", username: "ada" },
      { ...of, id: "11", name: "Grace", username: null },
    ],
    baseCustomFieldGroups: [{ ...of, id: "91", projectId: "100", name: "Delivery" }],
    customFieldGroups: [
      fieldGroup("81", { boardId: "200", name: "Plan" }),
      fieldGroup("82", { boardId: "200", baseCustomFieldGroupId: "91" }),
      fieldGroup("83", { cardId: "402", name: "Only here" }),
    ],
    customFields: [
      field("901", { customFieldGroupId: "81", name: "Effort" }),
      field("902", { customFieldGroupId: "81", name: "Days", type: "number", position: 2 }),
      field("903", { customFieldGroupId: "81", name: "Launch", type: "date", position: 3 }),
      field("904", { customFieldGroupId: "81", name: "Approved", type: "checkbox", position: 4 }),
      field("905", {
        customFieldGroupId: "81",
        name: "Size",
        position: 5,
        type: "dropdown",
        showOnFrontOfCard: true,
        config: {
          options: [
            { id: "1", name: "Small", color: "berry-red" },
            { id: "2", name: "Large", color: null },
          ],
        },
      }),
      field("906", { baseCustomFieldGroupId: "91", name: "Customer" }),
      field("907", { customFieldGroupId: "83", name: "Effort" }),
    ],
    customFieldValues: [
      fieldValue("402", "81", "901", "five"),
      fieldValue("402", "81", "902", "2.5"),
      fieldValue("402", "81", "903", "2026-03-13T16:00:00.000Z"),
      fieldValue("402", "81", "904", "true"),
      fieldValue("402", "81", "905", "2"),
      fieldValue("402", "82", "906", "Ada & Sons"),
      fieldValue("402", "83", "907", "little"),
      fieldValue("401", "81", "902", "many"),
    ],
  };
}
