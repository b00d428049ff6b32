const first = ([item]) => item?.publicId;
const firstOf = ({ items }) => first(items);

/** The card with the most on it: its checklists, comments and files have ids too. */
const fullest = ({ lists }) =>
  lists
    .flatMap(({ cards }) => cards)
    .toSorted((one, other) => weightOf(other) - weightOf(one))
    .at(0);
const weightOf = ({ checklistItems, commentCount, attachmentCount }) =>
  [checklistItems.total, commentCount, attachmentCount].filter((count) => count > 0).length;

const workspace = "/workspaces/{workspacePublicId}";
const board = "/boards/{boardPublicId}?cardLimit=20";
const card = "/cards/{cardPublicId}";

/** Where each id is found: in the answer of an operation, whose own ids are found like this too. */
const sources = {
  workspacePublicId: ["/workspaces", ([entry]) => entry?.workspace.publicId],
  workspaceSlug: [workspace, ({ slug }) => slug],
  boardPublicId: [`${workspace}/boards`, firstOf],
  boardSlug: [board, ({ slug }) => slug],
  listPublicId: [board, ({ lists }) => first(lists)],
  targetListPublicId: [board, ({ lists }) => lists.at(-1)?.publicId],
  labelPublicId: [board, ({ labels }) => first(labels)],
  fieldPublicId: [board, ({ fields }) => first(fields)],
  cardPublicId: [board, (answer) => fullest(answer)?.publicId],
  relatedCardPublicId: [
    board,
    (answer) => {
      const one = fullest(answer)?.publicId;
      return answer.lists.flatMap(({ cards }) => cards).find(({ publicId }) => publicId !== one)
        ?.publicId;
    },
  ],
  relationPublicId: [card, ({ relations }) => first(relations)],
  cardNumber: [card, ({ cardNumber }) => cardNumber],
  checklistPublicId: [card, ({ checklists }) => first(checklists)],
  checklistItemPublicId: [
    card,
    ({ checklists }) => checklists.find(({ items }) => items.length > 0)?.items[0].publicId,
  ],
  attachmentPublicId: [card, ({ attachments }) => first(attachments)],
  commentPublicId: [`${card}/comments`, firstOf],
  memberPublicId: [`${workspace}/members`, firstOf],
  viewPublicId: [`${workspace}/views`, first],
  rolePublicId: [`${workspace}/roles`, first],
  webhookPublicId: [`${workspace}/webhooks`, first],
  deliveryPublicId: [`${workspace}/webhooks/{webhookPublicId}/deliveries`, firstOf],
  importPublicId: [`${workspace}/imports`, firstOf],
  inviteCode: [`${workspace}/invite`, ({ inviteCode }) => inviteCode],
  notificationPublicId: ["/users/me/notifications", firstOf],
  apiKeyPublicId: ["/auth/api-keys", first],
  sessionPublicId: ["/auth/sessions", first],
  secondFactorPublicId: ["/second-factors", ({ factors }) => first(factors)],
  identityPublicId: ["/sign-in/identities", first],
  appPublicId: [`${workspace}/apps`, firstOf],
  clientId: [`${workspace}/apps`, ({ items: [app] }) => app?.clientId],
};

/** Finds ids of the caller's own data by name; `call` reads a path of the API. */
export function ownIds(call) {
  const answers = new Map();
  const read = (path) => {
    if (!answers.has(path)) answers.set(path, call(path));
    return answers.get(path);
  };
  return async function find(name) {
    const [path, pick] = sources[name] ?? [];
    if (path === undefined) return undefined;
    let filled = path;
    for (const [placeholder, needed] of path.matchAll(/\{(\w+)\}/g)) {
      const id = await find(needed);
      if (id === undefined) return undefined;
      filled = filled.replace(placeholder, encodeURIComponent(id));
    }
    const answer = await read(filled);
    return answer === undefined ? undefined : pick(answer);
  };
}

const isObject = (value) => typeof value === "object" && value !== null;

/** A body of an example with the caller's ids instead of its own, at any depth. */
export async function withOwnIds(body, find) {
  const within = (value) => (isObject(value) ? withOwnIds(value, find) : value);
  if (Array.isArray(body)) return Promise.all(body.map(within));
  const entries = Object.entries(body).map(async ([name, value]) => {
    const id = await find(name.replace(/Ids$/, "Id"));
    if (id === undefined) return [name, await within(value)];
    return [name, Array.isArray(value) ? [id] : id];
  });
  return Object.fromEntries(await Promise.all(entries));
}
