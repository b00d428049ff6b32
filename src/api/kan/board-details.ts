import { z } from "zod";
import type { BoardWithCursor } from "../../contract/resources/boards.ts";
import { snapshotLines } from "../../contract/resources/snapshot.ts";
import { failure } from "../../platform/errors.ts";
import type { RestCalls } from "./rest-calls.ts";
import type { Addresses } from "./shapes.ts";

type Ref = { publicId: string };

/** The details of a card that our boards do not show and Kan's do. */
export type CardDetails = {
  description: string | null;
  checklists: z.infer<typeof snapshotLines.checklist>[];
  attachments: Ref[];
  comments: Ref[];
};

/** What our boards do not show and Kan's do: details of cards, the workspace, members. */
export type BoardDetails = {
  workspace: z.infer<typeof snapshotLines.workspace> | undefined;
  members: z.infer<typeof snapshotLines.member>[];
  addresses: Addresses;
  cards: ReadonlyMap<string, CardDetails>;
};

/** The memory for the details of one board. */
const maxBytes = 32 * 1024 * 1024;

const { workspace: Workspace, member: Member, card: Card, checklist: Checklist } = snapshotLines;
const ofCard = { publicId: z.string(), cardPublicId: z.string() };
const Line = z.discriminatedUnion("kind", [
  Workspace.extend({ kind: z.literal("workspace") }),
  Member.extend({ kind: z.literal("member") }),
  Card.extend({ kind: z.literal("card") }),
  Checklist.extend({ kind: z.literal("checklist") }),
  z.object({ kind: z.literal("attachment"), ...ofCard }),
  z.object({ kind: z.literal("comment"), ...ofCard }),
]);
const Kind = z.looseObject({ kind: z.string() });
/** The kinds that are read. Kan shows nothing of the others, which may grow. */
const shownKinds = new Set<string>(Line.options.map(({ shape }) => shape.kind.value));

/** Reads the details of the cards that a board shows, in one snapshot. */
export async function readDetails(
  calls: RestCalls,
  { publicId, workspacePublicId, isArchived }: z.infer<typeof BoardWithCursor>,
): Promise<BoardDetails> {
  const cards = new Map<string, CardDetails>();
  const members: BoardDetails["members"] = [];
  let workspace: BoardDetails["workspace"];
  let bytes = 0;
  const everything = { checklists: "true", attachments: "true", comments: "true" };
  const archived = String(isArchived);
  const query = { boardPublicIds: publicId, archived, ...everything };
  for await (const text of calls.lines(`/workspaces/${workspacePublicId}/snapshot`, query)) {
    await calls.turns.next();
    const parsed = Kind.parse(JSON.parse(text));
    if (!shownKinds.has(parsed.kind)) continue;
    const line = Line.parse(parsed);
    bytes += line.kind === "comment" ? line.publicId.length : text.length;
    if (bytes > maxBytes) throw tooLarge();
    if (line.kind === "workspace") workspace = line;
    else if (line.kind === "member") members.push(line);
    else if (line.kind === "card") cards.set(line.publicId, newDetails(line.description));
    else {
      const card = cards.get(line.cardPublicId);
      if (line.kind === "checklist") card?.checklists.push(line);
      else card?.[`${line.kind}s`].push({ publicId: line.publicId });
    }
  }
  const addresses = new Map(members.map((member) => [member.publicId, member.email]));
  return { workspace, members, addresses, cards };
}

const newDetails = (description: string | null): CardDetails => ({
  description,
  checklists: [],
  attachments: [],
  comments: [],
});

const tooLarge = () =>
  failure(
    "body_too_large",
    "The board is too large for one answer. Use GET /api/v1/boards/{boardPublicId}.",
  );
