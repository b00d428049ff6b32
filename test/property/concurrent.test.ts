import fc from "fast-check";
import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../support/make.ts";
import { clientAt, deadlocks, listen, type Client } from "./http.ts";
import { expectAnnounced, expectSound, placesOf } from "./invariants.ts";

const app = useApp();
const clients = 8;
const steps = 25;

type Step = { what: number; card: number; list: number; place: number };

/** What a client does next: numbers, so that a seed tells all of it; whom they mean depends on what is there by then. */
const plans = (seed: number) =>
  fc.sample(
    fc.array(fc.record({ what: fc.nat(11), card: fc.nat(), list: fc.nat(), place: fc.nat(9) }), {
      minLength: steps,
      maxLength: steps,
      size: "max",
    }),
    { numRuns: clients, seed },
  );

test(
  "whatever eight clients do at once, no card is lost, doubled or in two lists, and all read one order",
  { timeout: 60_000 },
  async () => {
    const seed = Number(process.env["PROPERTY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
    const workspace = await makeWorkspace(app());
    const boards = await Promise.all([
      makeBoard(workspace, { lists: ["One", "Two"], labels: 0 }),
      makeBoard(workspace, { lists: ["Three"], labels: 0 }),
    ]);
    const lists = boards.flatMap((board) => board.lists);
    const first = await Promise.all(lists.map((list) => makeCard(workspace.admin, list)));
    const users: User[] = [];
    for (let n = 0; n < clients; n++) users.push(await join(app(), workspace, "admin"));
    const url = await listen(app());
    const before = await deadlocks(app());
    const made = [...first];
    const deleted = new Set<string>();
    const statuses = new Set<number>();

    const act = async (call: Client, { what, card, list, place }: Step) => {
      const id = made[card % made.length] ?? "";
      const other = made[(card + place + 1) % made.length] ?? "";
      const listPublicId = lists[list % lists.length];
      const where = [
        {},
        { index: place },
        { beforeCardPublicId: other },
        { afterCardPublicId: other },
      ][place % 4];
      if (what < 3) {
        const { status, body } = await call("POST", "/cards", {
          title: "A card",
          listPublicId,
          ...where,
        });
        if (status === 200) made.push(body.publicId);
        return status;
      }
      if (what < 8) return (await call("PUT", `/cards/${id}`, { listPublicId, ...where })).status;
      if (what < 9) return (await call("PUT", `/cards/${id}`, { ...where })).status;
      if (what < 11) {
        return (await call("PUT", `/cards/${id}`, { isArchived: what === 9 })).status;
      }
      const { status } = await call("DELETE", `/cards/${id}`);
      if (status === 200) {
        expect(deleted.has(id), "one card was deleted twice").toBe(false);
        deleted.add(id);
      }
      return status;
    };

    await Promise.all(
      plans(seed).map(async (plan, n) => {
        const call = clientAt(url, users[n]?.token ?? "");
        for (const [at, now] of plan.entries()) {
          statuses.add(await act(call, now));
          if (at % 10 === 0) {
            const { body } = await call("GET", `/boards/${boards[at % 20 ? 1 : 0]?.publicId}`);
            placesOf(body);
          }
        }
      }),
    );

    expect(
      [...statuses].filter((status) => ![200, 404, 409].includes(status)),
      `seed ${seed}`,
    ).toEqual([]);
    const rows = await app().db.reader.card.findMany({ where: { deletedAt: null } });
    expect(new Set(rows.map((card) => card.publicId))).toEqual(
      new Set(made.filter((id) => !deleted.has(id))),
    );
    await expectSound(app());
    await expectAnnounced(app());
    for (const { publicId } of boards) {
      const seen = await Promise.all(users.map((user) => user.rest.get(`/boards/${publicId}`)));
      const [one, ...others] = seen.map(({ body }) => Object.entries(placesOf(body)));
      for (const another of others) expect(another).toEqual(one);
    }
    expect(await deadlocks(app())).toBe(before);
  },
);
