import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { maxBatchBytes } from "../../src/kernel/request/http-batch.ts";
import { bytesPerCall } from "../../src/kernel/request/rate-limits.ts";
import { useApp, type Reply } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace, type User } from "../support/make.ts";
import { fillChecklist } from "../support/state.ts";
import { fill } from "../transfer/exports/many.ts";

const app = useApp({ env: { RATE_LIMIT: "1000" }, isolated: true });
const most = 50;

/** Sends the same call many times in one HTTP batch. */
function batchOf(user: User, name: string, input: object, method = "GET"): Promise<Reply> {
  const calls = Array.from({ length: most }, (_, nth) => [nth, input] as const);
  const inputs = Object.fromEntries(calls);
  const path = `/trpc/${calls.map(() => name).join()}?batch=1`;
  return app().call({
    method,
    token: user.token,
    path: method === "GET" ? `${path}&input=${encodeURIComponent(JSON.stringify(inputs))}` : path,
    ...(method === "GET" ? {} : { body: inputs }),
  });
}

/** A board with cards, and a card with a long checklist on it. */
async function scene({ cards = 0 } = {}) {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = "", other = ""] = board.lists;
  if (cards > 0) await fill(app(), list, { cards });
  const card = await makeCard(workspace.admin, other);
  const path = `/cards/${card}/checklists`;
  const { body } = await workspace.admin.rest.post(path, { name: "Long" });
  await fillChecklist(app(), body.publicId, 500);
  return { ...workspace, board: board.publicId, card };
}

const codesIn = ({ body }: Reply): string[] =>
  body.map((one: any) => (one.result === undefined ? one.error.data.issues[0].code : "ok"));
const bytesIn = ({ body }: Reply) => Buffer.byteLength(JSON.stringify(body));
const resultBytesIn = ({ body }: Reply) =>
  bytesIn({ body: body.flatMap((one: any) => one.result?.data ?? []) } as Reply);

test("the answers of an HTTP batch have at most 8 MiB, also those from memory", async () => {
  const { admin, board, card } = await scene({ cards: 2_500 });
  const { body } = await admin.rest.get(`/boards/${board}`);
  const large = Buffer.byteLength(JSON.stringify(body));
  expect(large * most).toBeGreaterThan(2 * maxBatchBytes);
  for (const [name, input] of [
    ["board.get", { boardPublicId: board }],
    ["card.get", { cardPublicId: card }],
  ] as const) {
    let reply = await batchOf(admin, name, input);
    // On a busy machine some have waited too long for their turn.
    while (codesIn(reply).includes("overloaded")) reply = await batchOf(admin, name, input);
    const codes = codesIn(reply);
    expect(new Set(codes)).toEqual(new Set(["ok", "limit_exceeded"]));
    expect(bytesIn(reply)).toBeGreaterThan(maxBatchBytes - 2 * large);
    expect(resultBytesIn(reply)).toBeLessThanOrEqual(maxBatchBytes);
  }
});

test("a write whose answer is left out says that it succeeded", async () => {
  const { admin, board } = await scene({ cards: 2_500 });
  const reply = await batchOf(admin, "board.restore", { boardPublicId: board }, "POST");
  const codes = new Set(codesIn(reply));
  expect(codes).toContain("ok");
  expect(codes).toContain("limit_exceeded");
  // On a busy machine some have waited too long for the board.
  const others = ["limit_exceeded", "answer_too_large", "overloaded"];
  for (const code of codes) expect(["ok", ...others]).toContain(code);
  expect(bytesIn(reply)).toBeLessThan(2 * maxBatchBytes);
});

/** A read of a card that waits, because its caller has a turn that has not ended. */
async function waitingRead({ publicId, rest }: User, card: string) {
  const { reads } = app().deps;
  let end = (): void => undefined;
  const turn = new Promise<void>((resolve) => (end = resolve));
  const before = reads.run(`user ${publicId}`, () => turn);
  const reading = rest.get(`/cards/${card}`);
  while (reads.waiting === 0) await pause(5);
  const endTurn = () => {
    end();
    return before;
  };
  return { endTurn, reading };
}

test("a card with many items is read whole, in the turn of its caller", async () => {
  const { admin, card } = await scene();
  const { endTurn, reading } = await waitingRead(admin, card);
  await endTurn();
  const { body } = await reading;
  expect(body.checklists[0].items.length).toBe(500);
});

test("large reads that wait are 429 when the ones before use up the limit", async () => {
  const { admin, card } = await scene();
  const readAtLimit = async () => {
    const { endTurn, reading } = await waitingRead(admin, card);
    await app().deps.limits.chargeBytes(
      { credential: admin.publicId, user: "" },
      1_000 * bytesPerCall,
    );
    await endTurn();
    return (await reading).status;
  };
  // The window of the limit may end in between.
  let status = await readAtLimit();
  while (status === 200) status = await readAtLimit();
  expect(status).toBe(429);
});
