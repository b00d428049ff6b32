import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";
import { connect, modes, type Tools } from "./connect.ts";

const app = useApp();

const numberIn = (text: string) => /[A-Z0-9]{1,10}-\d+/.exec(text)?.[0] ?? "";
/** The second and third part wait for the first, the fourth for both, the fifth for the fourth. */
const waitsFor = [[], [0], [0], [1, 2], [3]];

/** A card that an agent has split into five with dependencies. */
async function split(planner: Tools, board: string) {
  const create = async (title: string, more: object = {}) =>
    numberIn(await planner.call("card_create", { board, list: "Todo", title, ...more }));
  const whole = await create("Release");
  const parts: string[] = [];
  for (const [nth, blockers] of waitsFor.entries()) {
    const blockedBy = blockers.map((at) => parts[at]);
    parts.push(await create(`Part ${nth}`, { parent: whole, blockedBy }));
  }
  for (const other of parts)
    await planner.call("card_relate", { card: whole, kind: "blockedBy", other });
  return { whole, parts };
}

test.each(modes)(
  "an agent splits a card into five with dependencies, and two agents work them off in order (%s)",
  async (mode) => {
    const workspace = await makeWorkspace(app());
    const { publicId: board } = await makeBoard(workspace, { lists: ["Todo", "Done"] });
    const second = await join(app(), workspace, "member");
    const planner = await connect(app(), workspace.admin.token, { mode });
    const { whole, parts } = await split(planner, board);
    const shown = await planner.call("card_get", { card: parts[3] });
    expect(shown).toContain(`is a child of ${whole}`);
    expect(shown).toContain(`is blocked by ${parts[1]}`);
    expect(await planner.call("board_get", { board })).toContain("open blockers 2");
    const circle = { card: parts[0], kind: "blockedBy", other: parts[4] };
    expect(await planner.fail("card_relate", circle)).toContain(`→ ${parts[0]} →`);

    const agents = [planner, await connect(app(), second.token, { mode })];
    const [done, held]: [string[], Map<Tools, string>] = [[], new Map()];
    while (done.length < 6) {
      for (const agent of agents) {
        const answer = held.has(agent) ? "" : await agent.call("card_next", { board });
        if (answer.startsWith("Claimed")) held.set(agent, numberIn(answer));
      }
      for (const card of held.values()) {
        const blockers = waitsFor[parts.indexOf(card)]?.map((at) => parts[at]) ?? parts;
        expect(done).toEqual(expect.arrayContaining(blockers));
      }
      const [[agent, card] = [planner, ""]] = held;
      await agent.call("card_update", { card, isComplete: true });
      done.push(card);
      held.delete(agent);
    }
    expect(done.at(-1)).toBe(whole);
    expect(new Set(done).size).toBe(6);
    const again = { card: parts[0], kind: "blocks", other: parts[1], remove: true };
    await planner.call("card_relate", again);
    expect(await planner.call("card_get", { card: parts[1] })).not.toContain("is blocked by");
  },
);

test.each(modes)("an error names the argument that says the other card (%s)", async (mode) => {
  const workspace = await makeWorkspace(app());
  const { publicId: board } = await makeBoard(workspace, { lists: ["Todo"] });
  const { call, fail } = await connect(app(), workspace.admin.token, { mode });
  const here = { board, list: "Todo" };
  const card = numberIn(await call("card_create", { ...here, title: "A" }));
  const gone = "nosuchcard12";
  const title = "B";
  expect(await fail("card_create", { ...here, title, parent: gone })).toContain("\nparent: ");
  const waiting = { ...here, title, parent: card, blockedBy: [card, gone] };
  expect(await fail("card_create", waiting)).toContain("\nblockedBy.1: ");
  const related = { card, kind: "blocks", other: gone };
  expect(await fail("card_relate", related)).toContain("\nother: ");
  const calls = [
    { tool: "label_create", arguments: { board, name: "L" } },
    { tool: "card_create", arguments: waiting },
  ];
  expect(await fail("batch_run", { calls })).toContain("\ncalls.1.arguments.blockedBy.1: ");
});
