import { randomBytes } from "node:crypto";
import { startStandIn, type Recorded, type Reply, type StandIn } from "./stand-in.ts";

/** A board with its contents, in the form of Kan's answers. */
export type KanBoardData = Record<string, any> & {
  publicId: string;
  type: "regular" | "template";
  isArchived: boolean;
  workspacePublicId: string;
  lists: (Record<string, any> & { cards: (Record<string, any> & { publicId: string })[] })[];
};

/** Kan on a loopback port, with what one API key sees. */
export type FakeKan = StandIn & {
  apiKey: string;
  workspaces: { publicId: string; name: string; members: Record<string, any>[] }[];
  boards: KanBoardData[];
  /** What only the answers about single cards have, by the ids of cards. */
  details: Map<string, { attachments: Record<string, any>[]; activities: Record<string, any>[] }>;
  /** Where files are. */
  storage: StandIn;
  files: Map<string, Buffer>;
};

const failed = (status: number, message: string, code: string): Reply => ({
  status,
  body: { message, code },
});

/** Starts a Kan without boards. */
export async function startKan(): Promise<FakeKan> {
  const storage = await startStandIn(({ path, query, headers }) => {
    const file = kan.files.get(path.slice(1));
    if (headers.authorization !== undefined || !query.has("X-Amz-Signature"))
      return { status: 400, body: "InvalidArgument" };
    return file === undefined ? { status: 404, body: "NoSuchKey" } : { status: 200, body: file };
  });
  const standIn = await startStandIn((request) => answer(kan, request));
  const kan: FakeKan = {
    ...standIn,
    stop: async () => void (await Promise.all([standIn.stop(), storage.stop()])),
    apiKey: `kan_${randomBytes(32).toString("hex")}`,
    workspaces: [],
    boards: [],
    details: new Map(),
    storage,
    files: new Map(),
  };
  return kan;
}

function answer(kan: FakeKan, { path, query, headers }: Recorded): Reply {
  if (!path.startsWith("/api/v1/"))
    return { status: 404, headers: { "content-type": "text/html" }, body: "<html></html>" };
  const key = headers.authorization?.replace(/^Bearer /, "") ?? headers["x-api-key"];
  if (key !== kan.apiKey) return failed(401, "UNAUTHORIZED", "UNAUTHORIZED");
  const [kind, id, part] = path.slice("/api/v1/".length).split("/");
  if (kind === "workspaces" && id === undefined) {
    const items = kan.workspaces.map(({ publicId, name }) => {
      const more = { description: null, slug: "slug", plan: "free", weekStartDay: 1 };
      return { role: "admin", workspace: { publicId, name, ...more, cardPrefix: "KAN" } };
    });
    return { status: 200, body: items };
  }
  if (kind === "workspaces" && part === "boards") {
    const boards = kan.boards.filter(
      (board) =>
        board.workspacePublicId === id &&
        board.type === (query.get("type") ?? board.type) &&
        board.isArchived === (query.get("archived") === "true"),
    );
    const shown = boards.map(({ publicId, name }) => {
      return { publicId, name, favorite: false, lists: [], labels: [] };
    });
    return { status: 200, body: shown };
  }
  if (kind === "boards") {
    const board = kan.boards.find(
      (one) => one.publicId === id && one.type === (query.get("type") ?? "regular"),
    );
    if (board === undefined) return failed(404, "Board not found", "NOT_FOUND");
    const { workspacePublicId, type: _, ...shown } = board;
    const workspace = kan.workspaces.find(({ publicId }) => publicId === workspacePublicId);
    const of = { publicId: workspacePublicId, cardPrefix: "KAN", members: workspace?.members };
    return { status: 200, body: { ...shown, favorite: false, workspace: of, allLists: [] } };
  }
  if (kind === "cards" && part === undefined) {
    const cards = kan.boards.flatMap(({ lists }) => lists.flatMap((list) => list.cards));
    const card = cards.find(({ publicId }) => publicId === id);
    if (card === undefined) return failed(404, "Card not found", "NOT_FOUND");
    const detail = kan.details.get(card.publicId) ?? { attachments: [], activities: [] };
    const attachments = detail.attachments.map((one) => ({
      ...one,
      url: `${kan.storage.url}/${one["s3Key"]}?X-Amz-Signature=once`,
    }));
    return { status: 200, body: { ...card, ...detail, attachments } };
  }
  return failed(404, "Not found", "NOT_FOUND");
}
