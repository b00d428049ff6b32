import type { User } from "../../support/make.ts";
import { calls, type Call } from "./calls.ts";
import { manyCalls } from "./many-calls.ts";

type Any = any;

/** A source of random numbers with a seed. */
export function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    flip: () => next() < 0.5,
    pick: <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)],
    name: () => `n${String(below(1_000_000)).padStart(6, "0")}`,
    publicId: () => Array.from({ length: 12 }, () => below(36).toString(36)).join(""),
  };
}

/** A source of random numbers. */
export type Random = ReturnType<typeof randomFrom>;

/** What the operations know: the ids of everything that was created. */
export type Known = {
  workspace: string;
  boards: string[];
  lists: string[];
  cards: string[];
  labels: string[];
  views: string[];
  checklists: string[];
  items: string[];
  comments: { card: string; id: string }[];
  attachments: string[];
  members: string[];
  roles: string[];
  imports: string[];
};

/** All calls; those of many resources are a tenth. */
const operations = [...calls, ...manyCalls];

/** Calls that may bring an earlier name or prefix back. */
const renames = ({ method, path }: Call): boolean =>
  method === "put" && /^\/(?:users\/me|workspaces\/\w+)$/.test(path);

/** Performs a random operation as a caller; it may be refused, but it must not fail. */
export async function perform(
  known: Known,
  random: Random,
  who: User,
  withRenames = true,
): Promise<string> {
  const call = random.pick(operations)?.(known, random);
  if (call === undefined || (!withRenames && renames(call))) return "nothing";
  const { method, path, body } = call;
  const reply = await (method === "get" ? who.rest.get(path) : who.rest[method](path, body));
  const text = `${method} ${path} ${JSON.stringify(body)} → ${reply.status}`;
  if (reply.status >= 500) throw new Error(text);
  if (reply.status === 200) remember(known, path, reply.body);
  return text;
}

function remember(known: Known, path: string, body: Any): void {
  if (path === "/cards" || path.endsWith("/duplicate")) {
    known.cards.push(body.publicId);
    for (const { publicId, items } of body.checklists) {
      known.checklists.push(publicId);
      known.items.push(...items.map((item: Any) => item.publicId));
    }
  } else if (path === "/lists") known.lists.push(body.publicId);
  else if (path === "/labels") known.labels.push(body.publicId);
  else if (path.endsWith("/views")) known.views.push(body.publicId);
  else if (path.endsWith("/comments"))
    known.comments.push({ card: path.split("/")[2] ?? "", id: body.publicId });
  else if (path.endsWith("/checklists")) {
    known.checklists.push(body.publicId);
    known.items.push(...body.items.map((item: Any) => item.publicId));
  } else if (path.endsWith("/items")) known.items.push(body.publicId);
  else if (path.endsWith("/boards")) {
    known.boards.push(body.publicId);
    known.lists.push(...body.lists.map((list: Any) => list.publicId));
    known.labels.push(...body.labels.map((label: Any) => label.publicId));
  } else if (path.endsWith("/batch")) {
    for (const { operation, publicId } of body.results) {
      if (operation === "card.create") known.cards.push(publicId);
    }
  }
}
