/** Objects of a Trello export in the shape that Trello writes. */

type Json = Record<string, any>;

/**
 * The old format is what Trello wrote years ago; the new one has `nodeId`, `start`, `cover` and
 * more.
 */
export type Format = "old" | "new";

const begun = Date.parse("2024-03-01T09:00:00.000Z") / 1_000;

/** The `nth` id of a kind, as Trello makes them: eight digits of seconds, and sixteen more. */
export const idOf = (kind: number, nth: number) =>
  (begun + nth).toString(16).padStart(8, "0") +
  kind.toString(16).padStart(4, "0") +
  nth.toString(16).padStart(12, "0");

/** The kinds of objects that have ids. */
export const kinds = {
  board: 1,
  list: 2,
  label: 3,
  card: 4,
  checklist: 5,
  item: 6,
  member: 7,
  action: 8,
  attachment: 9,
  field: 10,
  option: 11,
  value: 12,
  plugin: 13,
};

const status = (disableAt: number, warnAt: number) => ({ status: "ok", disableAt, warnAt });
const node = (format: Format, id: string) =>
  format === "new" ? { nodeId: `ari:cloud:trello::card/workspace/5f1e/${id}` } : {};

/** A member of a board. */
export const member = (nth: number, more: Json = {}): Json => ({
  id: idOf(kinds.member, nth),
  aaId: null,
  activityBlocked: false,
  avatarHash: "0f0e0d",
  avatarUrl: "https://trello-members.s3.amazonaws.com/0f0e0d",
  bio: "",
  confirmed: true,
  fullName: `Member ${nth} of Trello`,
  idMemberReferrer: null,
  initials: `M${nth}`,
  memberType: "normal",
  nonPublic: {},
  nonPublicAvailable: false,
  products: [],
  url: `https://trello.com/trello${nth}`,
  username: `trello${nth}`,
  status: "disconnected",
  ...more,
});

/** A list. */
export const list = (nth: number, more: Json = {}): Json => ({
  id: idOf(kinds.list, nth),
  name: `List ${nth}`,
  closed: false,
  color: null,
  idBoard: idOf(kinds.board, 1),
  pos: 16_384 * nth,
  subscribed: false,
  softLimit: null,
  type: null,
  datasource: { filter: false },
  creationMethod: null,
  idOrganization: idOf(kinds.board, 99),
  limits: {
    cards: { openPerList: status(5_000, 4_000), totalPerList: status(1_000_000, 800_000) },
  },
  ...more,
});

/** A label; by default in the first of Trello's colours. */
export const label = (nth: number, more: Json = {}): Json => ({
  id: idOf(kinds.label, nth),
  idBoard: idOf(kinds.board, 1),
  idOrganization: idOf(kinds.board, 99),
  name: `Label ${nth}`,
  color: "green",
  uses: 3,
  ...more,
});

/** A custom field; `display.cardFront` is whether cards show it on their front. */
export const field = (nth: number, type: string, more: Json = {}): Json => ({
  id: idOf(kinds.field, nth),
  idModel: idOf(kinds.board, 1),
  modelType: "board",
  fieldGroup: "ab".repeat(32),
  display: { cardFront: true },
  name: `Field ${nth}`,
  pos: 16_384 * nth,
  type,
  isSuggestedField: false,
  ...more,
});

/** An option of a custom field of the type `list`. */
export const option = (nth: number, text: string, more: Json = {}): Json => ({
  id: idOf(kinds.option, nth),
  idCustomField: idOf(kinds.field, 1),
  value: { text },
  color: "none",
  pos: 16_384 * nth,
  ...more,
});

/** The value of a custom field on a card: texts, and the id of an option in `idValue`. */
export const fieldItem = (nth: number, ofField: number, more: Json): Json => ({
  id: idOf(kinds.value, nth),
  value: null,
  idValue: null,
  idCustomField: idOf(kinds.field, ofField),
  idModel: idOf(kinds.card, 1),
  modelType: "card",
  ...more,
});

/** A card, with all fields that Trello writes of one. */
export function card(nth: number, more: Json = {}, format: Format = "new"): Json {
  const id = idOf(kinds.card, nth);
  const shortLink = nth.toString(36).padStart(8, "a");
  const fresh = {
    ...node(format, id),
    creationMethod: null,
    dueComplete: false,
    dueReminder: null,
    start: null,
    pinned: false,
    isTemplate: false,
    cardRole: null,
    mirrorSourceId: null,
    pluginData: [],
    customFieldItems: [],
    cover: {
      idAttachment: null,
      color: null,
      idUploadedBackground: null,
      size: "normal",
      brightness: "dark",
      idPlugin: null,
    },
  };
  return {
    id,
    address: null,
    badges: {
      attachmentsByType: { trello: { board: 0, card: 0 } },
      location: false,
      votes: 0,
      viewingMemberVoted: false,
      subscribed: false,
      fogbugz: "",
      checkItems: 0,
      checkItemsChecked: 0,
      checkItemsEarliestDue: null,
      comments: 0,
      attachments: 0,
      description: true,
      due: null,
      dueComplete: false,
      start: null,
    },
    checkItemStates: [],
    closed: false,
    coordinates: null,
    dateLastActivity: "2025-01-31T10:00:00.000Z",
    desc: `What card ${nth} is about.\n\n- **one**\n- two`,
    descData: { emoji: {} },
    due: null,
    email: "boards+5f1e@boards.trello.com",
    idBoard: idOf(kinds.board, 1),
    idChecklists: [],
    idLabels: [],
    idList: idOf(kinds.list, 1),
    idMembers: [],
    idMembersVoted: [],
    idShort: nth,
    idAttachmentCover: null,
    labels: [],
    limits: {
      attachments: { perCard: status(1_000, 800) },
      checklists: { perCard: status(500, 400) },
    },
    locationName: null,
    manualCoverAttachment: false,
    name: `Card ${nth}`,
    pos: 65_536 * nth,
    shortLink,
    shortUrl: `https://trello.com/c/${shortLink}`,
    staticMapUrl: null,
    subscribed: false,
    url: `https://trello.com/c/${shortLink}/${nth}-card`,
    attachments: [],
    ...(format === "new" ? fresh : {}),
    ...more,
  };
}

/** A checklist on a card, with items. */
export const checklist = (
  nth: number,
  idCard: string,
  checkItems: unknown[],
  more: Json = {},
): Json => ({
  id: idOf(kinds.checklist, nth),
  name: `Checklist ${nth}`,
  idBoard: idOf(kinds.board, 1),
  idCard,
  pos: 16_384 * nth,
  limits: { checkItems: { perChecklist: status(200, 160) } },
  creationMethod: null,
  checkItems,
  ...more,
});

/** An item of a checklist. */
export const item = (nth: number, more: Json = {}): Json => ({
  id: idOf(kinds.item, nth),
  name: `Item ${nth}`,
  nameData: { emoji: {} },
  pos: 16_384 * nth,
  state: "incomplete",
  due: null,
  dueReminder: null,
  idMember: null,
  idChecklist: idOf(kinds.checklist, 1),
  ...more,
});

/** A comment on a card. */
export const comment = (nth: number, idCard: string, more: Json = {}): Json => ({
  id: idOf(kinds.action, nth),
  idMemberCreator: idOf(kinds.member, 1),
  data: {
    text: `Comment ${nth}`,
    textData: { emoji: {} },
    card: { id: idCard, name: "Card", idShort: 1, shortLink: "aaaaaaaa" },
    board: { id: idOf(kinds.board, 1), name: "Board", shortLink: "bbbbbbbb" },
    list: { id: idOf(kinds.list, 1), name: "List 1" },
  },
  appCreator: null,
  type: "commentCard",
  date: new Date((begun + nth) * 1_000).toISOString(),
  limits: { reactions: { perAction: status(900, 720), uniquePerAction: status(17, 14) } },
  memberCreator: member(1),
  ...more,
});

/** Any other line of Trello's history. */
export const action = (nth: number, type = "updateCard"): Json => ({
  ...comment(nth, idOf(kinds.card, 1)),
  type,
  data: { old: { pos: 1 }, card: { id: idOf(kinds.card, 1) } },
});

/** An attachment; a link unless it is said to be uploaded. */
export const attachment = (nth: number, more: Json = {}): Json => ({
  id: idOf(kinds.attachment, nth),
  bytes: null,
  date: "2024-06-01T12:00:00.000Z",
  edgeColor: null,
  idMember: idOf(kinds.member, 1),
  isMalicious: false,
  isUpload: false,
  mimeType: "",
  name: `Attachment ${nth}`,
  previews: [],
  url: `https://example.com/${nth}`,
  pos: 16_384 * nth,
  fileName: null,
  ...more,
});

/** A whole export. */
export function board(parts: Json = {}, format: Format = "new"): Json {
  const id = idOf(kinds.board, 1);
  return {
    id,
    ...node(format, id),
    name: "Board of Trello",
    desc: "What it is for",
    descData: null,
    closed: false,
    dateClosed: null,
    idOrganization: idOf(kinds.board, 99),
    idEnterprise: null,
    ...(format === "new"
      ? { limits: { boards: { totalMembersPerBoard: status(1_600, 1_280) } }, type: null }
      : {}),
    pinned: false,
    starred: false,
    url: "https://trello.com/b/bbbbbbbb/board",
    prefs: { permissionLevel: "private", hideVotes: false, voting: "members", background: "blue" },
    shortLink: "bbbbbbbb",
    subscribed: false,
    labelNames: { green: "", yellow: "", orange: "", red: "Urgent", purple: "", blue: "" },
    powerUps: [],
    dateLastActivity: "2025-01-31T10:00:00.000Z",
    dateLastView: "2025-01-31T10:00:00.000Z",
    shortUrl: "https://trello.com/b/bbbbbbbb",
    idTags: [],
    datePluginDisable: null,
    actions: [],
    cards: [],
    labels: [],
    lists: [],
    members: [],
    checklists: [],
    customFields: [],
    memberships: [],
    pluginData: [],
    ...parts,
  };
}
