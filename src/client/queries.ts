const verbs = {
  attachment: "download file fileUrl",
  auth: "apiKeys sessions",
  board: "activity cards checkSlugAvailability exportCsv get getBySlug list members",
  card: "activities get getByNumber",
  checklist: "items",
  comment: "list",
  health: "check",
  import: "people get list report trelloBoards",
  integration: "githubProjects providers",
  invite: "get getLink",
  label: "get list",
  list: "cards get",
  member: "get list",
  permission: "mine ofMember vocabulary",
  role: "list permissions",
  stats: "get",
  user: "cards me notifications preferences",
  webhook: "catalogue deliveries delivery get list",
  workspace: "audit checkSlugAvailability events export get getBySlug list search snapshot trash",
};

/** The operations that read, such as `card.get`; all others write. */
export const queries: ReadonlySet<string> = new Set(
  Object.entries(verbs).flatMap(([resource, names]) =>
    names.split(" ").map((name) => `${resource}.${name}`),
  ),
);
