const kinds = (kind: string, ...verbs: string[]) => verbs.map((verb) => `${kind}:${verb}`);
/** The 24 names of the interface, in its order. */
export const all = [
  ...kinds("workspace", "view", "edit", "delete", "manage"),
  ...["board", "list", "card", "comment"].flatMap((kind) =>
    kinds(kind, "view", "create", "edit", "delete"),
  ),
  ...kinds("member", "view", "invite", "edit", "remove"),
];
/** What a guest may. */
export const views = all.filter((right) => right.endsWith(":view"));
/** What a member may, sorted. */
export const membersMay = [
  ...views,
  ...kinds("list", "create", "edit", "delete"),
  ...kinds("card", "create", "edit", "delete"),
  "board:create",
  "comment:create",
].toSorted();
/** What looks like a name and is none. */
export const notPermissions = [
  "",
  "card:own",
  "CARD:EDIT",
  " card:edit",
  "card",
  "*",
  null,
  1,
  ["card:edit"],
];
