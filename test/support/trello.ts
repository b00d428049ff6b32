import { randomBytes } from "node:crypto";
import { onBoard } from "./trello-board.ts";
import { type Fault, type Recorded, type Reply, type StandIn, startStandIn } from "./stand-in.ts";

/** A board of the account. */
export type FakeBoard = { id: string; name: string | null; closed?: boolean };

/** Trello on a loopback port, with the boards of one account. */
export type FakeTrello = StandIn & {
  apiUrl: string;
  /** The one known key, 32 characters. */
  apiKey: string;
  /** A token that reads, 76 characters, and three that do not. */
  token: string;
  expiredToken: string;
  writeOnlyToken: string;
  /** The account's boards; change at will. */
  boards: FakeBoard[];
  /** Boards with their contents, in the form of their exports. */
  whole: Record<string, any>[];
  /** The host that downloads are redirected to. */
  storage: StandIn;
  /** What was uploaded, by the id of its attachment. */
  uploads: Map<string, { bytes: Buffer; type: string }>;
  /** The token is revoked from the first request whose path contains this text. */
  revokedAt: string | undefined;
};

const makeToken = () => `ATTA${randomBytes(36).toString("hex")}`;

/** Starts a Trello whose account has no boards yet. */
export async function startTrello(): Promise<FakeTrello> {
  let revoked: string | undefined;
  const response = ({ path, query, headers }: Recorded): Reply => {
    const { key, token } = credentials(query, headers.authorization);
    if (key !== trello.apiKey) return { status: 401, body: "invalid key" };
    if (token === trello.expiredToken) return { status: 401, body: "expired token" };
    if (token === trello.writeOnlyToken) {
      return { status: 401, body: "unauthorized permission requested" };
    }
    if (trello.revokedAt !== undefined && path.includes(trello.revokedAt))
      revoked = trello.revokedAt;
    if (token !== trello.token || (revoked !== undefined && revoked === trello.revokedAt))
      return { status: 401, body: "invalid token" };
    if (path !== "/1/members/me/boards") return onBoard(trello, path, query, headers.authorization);
    const filter = query.get("filter") ?? "all";
    const fields = query.get("fields")?.split(",");
    const boards = trello.boards.filter(
      ({ closed = false }) => filter === "all" || closed === (filter === "closed"),
    );
    return { status: 200, headers: window("99"), body: boards.map((each) => view(each, fields)) };
  };
  const storage = await startStandIn(({ path, query, headers }) => {
    const upload = trello.uploads.get(path.replace("/files/", ""));
    if (upload === undefined) return { status: 404, body: "NoSuchKey" };
    if (query.get("signature") !== "once" || headers.authorization !== undefined)
      return { status: 400, body: "InvalidArgument: only one authentication is allowed" };
    return { status: 200, headers: { "content-type": upload.type }, body: upload.bytes };
  });
  const standIn = await startStandIn(response);
  const trello: FakeTrello = {
    ...standIn,
    stop: async () => void (await Promise.all([standIn.stop(), storage.stop()])),
    storage,
    apiUrl: standIn.url,
    apiKey: randomBytes(16).toString("hex"),
    token: makeToken(),
    expiredToken: makeToken(),
    writeOnlyToken: makeToken(),
    boards: [],
    whole: [],
    uploads: new Map(),
    revokedAt: undefined,
  };
  return trello;
}

function credentials(query: URLSearchParams, header: string | undefined) {
  const inHeader = (name: string) => {
    const value = header?.match(new RegExp(`^OAuth .*\\b${name}="([^"]*)"`))?.[1];
    return value === undefined ? undefined : decodeURIComponent(value);
  };
  return {
    key: inHeader("oauth_consumer_key") ?? query.get("key"),
    token: inHeader("oauth_token") ?? query.get("token"),
  };
}

const window = (remaining: string) => ({
  "x-rate-limit-api-token-interval-ms": "10000",
  "x-rate-limit-api-token-max": "100",
  "x-rate-limit-api-token-remaining": remaining,
  "x-rate-limit-api-key-interval-ms": "10000",
  "x-rate-limit-api-key-max": "300",
  "x-rate-limit-api-key-remaining": "299",
});

// The id is always present. Other fields are present when requested, or when the request names no
// fields.
function view({ id, name, closed = false }: FakeBoard, fields: string[] | undefined): object {
  const shortLink = id.slice(-8);
  const whole: Record<string, unknown> = {
    name,
    closed,
    desc: "",
    descData: null,
    dateClosed: closed ? "2024-05-04T10:00:00.000Z" : null,
    idOrganization: "5f1e5f1e5f1e5f1e5f1e5f1e",
    idEnterprise: null,
    limits: { boards: { totalMembersPerBoard: { status: "ok", disableAt: 1600, warnAt: 1440 } } },
    pinned: null,
    starred: false,
    url: `https://trello.com/b/${shortLink}/board`,
    shortLink,
    shortUrl: `https://trello.com/b/${shortLink}`,
    prefs: { permissionLevel: "org", hideVotes: false, voting: "disabled", background: "blue" },
    labelNames: { green: "", yellow: "", orange: "", red: "Urgent" },
    dateLastActivity: "2025-01-31T10:00:00.000Z",
    memberships: [{ id: "5f1e5f1e5f1e5f1e5f1e5f1f", memberType: "admin", unconfirmed: false }],
  };
  const selected = Object.entries(whole).filter(([field]) => fields?.includes(field) ?? true);
  return { id, ...Object.fromEntries(selected) };
}

/** 429 in the words of Trello, for a token or a key, with or without `Retry-After`. */
export const limitExceeded =
  (whose: "TOKEN" | "KEY", retryAfter?: string): Fault =>
  () => ({
    status: 429,
    headers: { ...window("0"), ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }) },
    body: { error: `API_${whose}_LIMIT_EXCEEDED`, message: "Rate limit exceeded" },
  });

/** 429 as plain text, without a header. */
export const plainLimit: Fault = () => ({ status: 429, body: "Rate limit exceeded" });
