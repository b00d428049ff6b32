import fc from "../support/fast-check.ts";
import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard, makeWorkspace } from "../support/make.ts";
import { cardIdsByList } from "./invariants.ts";
import {
  put,
  visibleIn,
  without,
  type ModelCard,
  type ModelList,
  type ModelPlacement,
} from "./model.ts";

const app = useApp({ isolated: true });
/** More of them: PROPERTY_RUNS=500. */
const runs = Number(process.env["PROPERTY_RUNS"] ?? 12);

const nth = fc.nat({ max: 30 });
const index = fc.oneof(fc.nat({ max: 6 }), fc.constant(2_147_483_647));
const placement = fc.oneof(
  fc.constant(undefined),
  fc.record({ index }),
  fc.record({ before: nth }),
  fc.record({ after: nth }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("list"), board: nth, at: fc.option(index) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("create"), list: nth, placement }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("update"),
      card: nth,
      list: fc.option(nth),
      placement,
      archived: fc.oneof(fc.constant(undefined), fc.boolean()),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete"), card: nth }) },
);
type Step =
  | { do: "list"; board: number; at: number | null }
  | { do: "create"; list: number; placement: PickedPlacement }
  | {
      do: "update";
      card: number;
      list: number | null;
      placement: PickedPlacement;
      archived: boolean | undefined;
    }
  | { do: "delete"; card: number };
type PickedPlacement = { index: number } | { before: number } | { after: number } | undefined;

/** The model of some boards; `cards` are all that were ever created. */
type World = {
  boards: { id: string; lists: ModelList[] }[];
  cards: ModelCard[];
};

const pick = <Item>(items: Item[], n: number) => items[n % items.length];

test(
  "any sequence of creates, moves, archivings and deletes leaves every card where the model has it",
  { timeout: 30_000 + runs * 2_000 },
  async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;

    const named = (world: World, picked: PickedPlacement): [ModelPlacement, object] => {
      if (picked === undefined) return ["end", {}];
      if ("index" in picked) return [picked, picked];
      const card = pick(world.cards, "before" in picked ? picked.before : picked.after);
      if (card === undefined) return ["end", {}];
      return "before" in picked
        ? [{ before: card.id }, { beforeCardPublicId: card.id }]
        : [{ after: card.id }, { afterCardPublicId: card.id }];
    };

    const run = async (world: World, now: Step): Promise<void> => {
      const lists = world.boards.flatMap((board) => board.lists);
      const living = lists.flatMap(({ cards }) => cards);
      if (now.do === "list") {
        const { at } = now;
        const board = pick(world.boards, now.board);
        if (board === undefined) return;
        const { body } = await rest.post("/lists", {
          name: "A list",
          boardPublicId: board.id,
          ...(at === null ? {} : { index: at }),
        });
        board.lists.splice(at ?? board.lists.length, 0, { id: body.publicId, cards: [] });
      } else if (now.do === "create") {
        const list = pick(lists, now.list);
        if (list === undefined) return;
        const [where, fields] = named(world, now.placement);
        const { status, body } = await rest.post("/cards", {
          title: "A card",
          listPublicId: list.id,
          ...fields,
        });
        const card = { id: body.publicId, archived: false };
        if (!put(lists, list, card, where)) {
          expect(status).toBe(409);
          return;
        }
        expect(status).toBe(200);
        expect(body.index).toBe(visibleIn(list).indexOf(card.id));
        world.cards.push(card);
      } else if (now.do === "update") {
        const card = pick(living, now.card);
        const from = lists.find(({ cards }) => card !== undefined && cards.includes(card));
        if (card === undefined || from === undefined) return;
        const list = now.list === null ? from : (pick(lists, now.list) ?? from);
        const [where, fields] = named(world, now.placement);
        const { status } = await rest.put(`/cards/${card.id}`, {
          ...fields,
          ...(now.list === null ? {} : { listPublicId: list.id }),
          ...(now.archived === undefined ? {} : { isArchived: now.archived }),
        });
        const moves = list !== from || where !== "end";
        if (moves && !put(lists, list, card, where)) {
          expect(status).toBe(409);
          return;
        }
        expect(status).toBe(200);
        card.archived = now.archived ?? card.archived;
        const { body } = await rest.get(`/cards/${card.id}`);
        const at = visibleIn(list).indexOf(card.id);
        expect(body).toMatchObject({ listPublicId: list.id, index: card.archived ? null : at });
      } else {
        const card = pick(living, now.card);
        if (card === undefined) return;
        expect((await rest.delete(`/cards/${card.id}`)).status).toBe(200);
        without(lists, card.id);
      }
    };

    const agree = async (world: World) => {
      for (const { id, lists } of world.boards) {
        const { body } = await rest.get(`/boards/${id}`);
        expect(Object.entries(cardIdsByList(body))).toEqual(
          lists.map((list) => [list.id, visibleIn(list)]),
        );
      }
    };

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 40, size: "max" }),
        async (steps) => {
          const boards = await Promise.all(
            [["One", "Two"], ["Three"]].map((lists) => makeBoard(workspace, { lists, labels: 0 })),
          );
          const world: World = {
            boards: boards.map(({ publicId: id, lists }) => ({
              id,
              lists: lists.map((list) => ({ id: list, cards: [] })),
            })),
            cards: [],
          };
          for (const now of steps) await run(world, now);
          await agree(world);
          const lists = world.boards.flatMap((board) => board.lists);
          const living = lists.flatMap(({ cards }) => cards);
          for (const card of living.filter(({ archived }) => archived)) {
            await rest.put(`/cards/${card.id}`, { isArchived: false });
            card.archived = false;
          }
          await agree(world);
          for (const card of world.cards.filter((one) => !living.includes(one))) {
            expect((await rest.get(`/cards/${card.id}`)).status).toBe(404);
          }
        },
      ),
      { numRuns: runs },
    );
  },
);
