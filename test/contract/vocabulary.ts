const kinds = (kind: string, ...verbs: string[]) => verbs.map((verb) => `${kind}:${verb}`);
/** The 24 permissions in the interface's order. */
export const all = [
  ...kinds("workspace", "view", "edit", "delete", "manage"),
  ...["board", "list", "card", "comment"].flatMap((kind) =>
    kinds(kind, "view", "create", "edit", "delete"),
  ),
  ...kinds("member", "view", "invite", "edit", "remove"),
];
/** The permissions of a guest. */
export const views = all.filter((right) => right.endsWith(":view"));
/** The permissions of a member, sorted. */
export const membersMay = [
  ...views,
  ...kinds("list", "create", "edit", "delete"),
  ...kinds("card", "create", "edit", "delete"),
  "board:create",
  "comment:create",
].toSorted();
/** Invalid permission names. */
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
