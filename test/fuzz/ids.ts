import type { Random } from "./random.ts";

/** The public ids and codes that earlier responses had, by the kind of resource. */
export type Ids = {
  /** Collects the ids of a response; `kind` is the resource that the operation returns. */
  learn(kind: string, body: unknown): void;
  /** Removes all ids. */
  clear(): void;
  /**
   * An id for a field such as `beforeCardPublicId` or `labelPublicIds`; undefined for other fields.
   */
  pick(field: string, random: Random): string | undefined;
};

const most = 60;
const shared = 3;
const plurals: Record<string, string> = {
  lists: "list",
  cards: "card",
  labels: "label",
  members: "member",
  checklists: "checklist",
  items: "checklistItem",
  attachments: "attachment",
  boards: "board",
  roles: "role",
};
const others: Record<string, string> = {
  sourceBoard: "board",
  targetList: "list",
  moveMembersTo: "role",
};

/** Creates an empty collection. */
export function createIds(): Ids {
  const known = new Map<string, string[]>();

  function add(kind: string, id: unknown) {
    if (typeof id !== "string") return;
    const ids = known.get(kind) ?? [];
    known.set(kind, ids);
    if (ids.includes(id)) return;
    ids.push(id);
    if (ids.length > most) ids.splice(shared, 1);
  }

  function learn(kind: string, node: unknown) {
    if (Array.isArray(node)) for (const item of node) learn(kind, item);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    for (const [key, value] of Object.entries(node)) {
      const named = /^(\w+)PublicId$/.exec(key)?.[1];
      if (key === "publicId") add(kind, value);
      else if (named !== undefined) add(kindOf(named), value);
      else if (/^(refreshToken|inviteCode|ticket|cursor|nextCursor)$/.test(key)) add(key, value);
      else if (key === "url") add("token", /\/file\?token=(.+)$/.exec(String(value))?.[1]);
      else learn(kind === "board" || key !== "items" ? (plurals[key] ?? key) : kind, value);
    }
  }

  const kindOf = (name: string) => {
    const plain = name.replace(/^(before|after)([A-Z])/, (_, _side, first: string) =>
      first.toLowerCase(),
    );
    return others[plain] ?? plain;
  };

  return {
    learn,
    clear: () => known.clear(),
    pick(field, random) {
      const named = /^(\w+)PublicIds?$/.exec(field)?.[1] ?? field;
      const ids = known.get(field === "cursor" ? "nextCursor" : kindOf(named));
      if (ids === undefined || random.chance(0.05)) return undefined;
      // The oldest ids are the first workspace's, to which most callers have access.
      return random.pick(random.chance(0.6) ? ids.slice(0, shared) : ids);
    },
  };
}
