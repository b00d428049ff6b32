import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { publicId } from "../../src/platform/db/public-id.ts";
import type { Answer } from "./service-client.ts";

/** The shared resources that all clients write to. */
export type Shared = {
  workspace: string;
  board: string;
  list: string;
  cards: string[];
  label: string;
};

type Write =
  | "comment"
  | "create"
  | "duplicate"
  | "batch"
  | "bulk"
  | "rename"
  | "compare"
  | "toggle";

/** One operation as its client saw it; times are of one clock. */
export type Operation = {
  kind: Write | "read";
  /** The text that the operation writes: no two are the same. */
  text: string;
  card?: string;
  /** Absent for a call without an Idempotency-Key, which is not repeated. */
  key?: string;
  began: number;
  ended: number;
  /** `unknown` when the answer was lost and the call was not repeated. */
  outcome: "written" | "refused" | "unknown" | "read";
  /** The version of the card that a write made or a read saw, and the title that it saw. */
  version?: number;
  title?: string;
  /** The version that a `compare` required. */
  required?: string;
};

/** A client: performs an operation, and how often a repeated call met its first one in flight. */
export type HistoryClient = { perform(): Promise<void>; history: Operation[]; met: () => number };

type Wire = { method: string; path: string; body?: object; ifMatch?: string };

/** Creates a client of the service at `url()`. */
export function historyClient(url: () => string, token: string, shared: Shared): HistoryClient {
  const history: Operation[] = [];
  let inFlight = 0;

  /** Undefined when the connection broke or the service was not ready. */
  async function send({ method, path, body, ifMatch }: Wire, key?: string) {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
      ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
    };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const request = { method, headers, ...text };
    const response = await readResponse(`${url()}/api/v1${path}`, request);
    return response?.status === 503 ? undefined : response;
  }

  /** Repeats a call with its key until it is answered. */
  async function untilAnswered(wire: Wire, key: string): Promise<Answer> {
    for (;;) {
      const response = await send(wire, key);
      const code: unknown = response?.body.issues?.[0]?.code;
      if (response !== undefined && code !== "idempotency_key_in_flight") return response;
      if (response !== undefined) inFlight++;
      await pause(response === undefined ? 20 : 500);
    }
  }

  async function read(card: string): Promise<Answer> {
    for (;;) {
      const response = await send({ method: "GET", path: `/cards/${card}` });
      if (response !== undefined) return response;
      await pause(20);
    }
  }

  async function perform() {
    const card = shared.cards[Math.floor(Math.random() * shared.cards.length)] ?? "";
    const kind = pick();
    const text = kind === "bulk" ? uniqueMoment() : `${kind} ${randomUUID()}`;
    const began = performance.now();
    if (kind === "read") {
      const { body } = await read(card);
      const { version, title } = body;
      const ended = performance.now();
      history.push({ kind, text, card, began, ended, outcome: "read", version, title });
      return;
    }
    const wire = await wireOf(kind, card, text);
    const key = Math.random() < 0.8 ? randomUUID() : undefined;
    const response = key === undefined ? await send(wire) : await untilAnswered(wire, key);
    history.push({
      kind,
      text,
      card,
      began,
      ended: performance.now(),
      outcome: outcomeOf(response),
      ...(key === undefined ? {} : { key }),
      ...(wire.ifMatch === undefined ? {} : { required: wire.ifMatch }),
      ...(response?.status === 200 ? { version: versionOf(response) } : {}),
    });
  }

  async function wireOf(kind: Operation["kind"], card: string, text: string): Promise<Wire> {
    const path = `/cards/${card}`;
    if (kind === "comment") {
      return { method: "POST", path: `${path}/comments`, body: { comment: text } };
    }
    if (kind === "create") {
      return { method: "POST", path: "/cards", body: { title: text, listPublicId: shared.list } };
    }
    if (kind === "duplicate") {
      return { method: "POST", path: `${path}/duplicate`, body: { title: text } };
    }
    if (kind === "batch") {
      return { method: "POST", path: `/workspaces/${shared.workspace}/batch`, body: batchOf(text) };
    }
    if (kind === "bulk") {
      const body = { cardPublicIds: [card], set: { dueDate: text } };
      return { method: "POST", path: `/boards/${shared.board}/cards/bulk`, body };
    }
    if (kind === "toggle") return { method: "PUT", path: `${path}/labels/${shared.label}` };
    const wire = { method: "PUT", path, body: { title: text } };
    if (kind === "rename") return wire;
    return { ...wire, ifMatch: `"${(await read(card)).body.version}"` };
  }

  /** A batch that creates a card and a comment on it. */
  const batchOf = (title: string) => {
    const cardPublicId = publicId();
    const created = { publicId: cardPublicId, title, listPublicId: shared.list };
    const operations = [
      { operation: "card.create", input: created },
      { operation: "comment.create", input: { cardPublicId, comment: commentOf(title) } },
    ];
    return { operations };
  };

  return { perform, history, met: () => inFlight };
}

/** The comment of a batch, by the title of its card. */
export const commentOf = (title: string) => `on ${title}`;

const uniqueMoment = () => new Date(Math.floor(Math.random() * 2 ** 41)).toISOString();

/** Undefined when the connection broke. */
async function readResponse(url: string, request: RequestInit): Promise<Answer | undefined> {
  let response: Response;
  try {
    response = await fetch(url, request);
    return { status: response.status, headers: response.headers, body: await response.json() };
  } catch (error) {
    // A syntax error is an answer that was cut.
    if (error instanceof SyntaxError || /fetch failed|terminated/.test(String(error))) return;
    throw error;
  }
}

const kinds: Operation["kind"][] = [
  ...(["comment", "create", "duplicate", "batch", "bulk"] as const),
  ...(["rename", "rename", "compare", "toggle"] as const),
  ...(["read", "read", "read"] as const),
];
const pick = () => kinds[Math.floor(Math.random() * kinds.length)] ?? "read";

/** A stored success whose answer was lost in the crash says so. */
const isLost = ({ body }: Answer) => body.issues?.[0]?.code === "answer_not_stored";

function outcomeOf(response: Answer | undefined): Operation["outcome"] {
  if (response === undefined) return "unknown";
  if (response.status === 200 || isLost(response)) return "written";
  if (response.status === 412) return "refused";
  throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
}

const versionOf = ({ headers }: Answer) =>
  Number(/^"(\d+)/.exec(headers.get("etag") ?? "")?.[1] ?? Number.NaN);
