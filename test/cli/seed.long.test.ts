import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { signedIn } from "../support/as.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { useWbs, wbs } from "./wbs.ts";

const app = useApp({ isolated: true });
const served = useWbs(app);

const seed = async () =>
  wbs(served().main, await temporaryDirectory(), ["seed", "--url", served().service.url]).ended;

test("wbs seed makes a workspace with three people, two boards and sixty cards", async () => {
  const { code, out } = await seed();
  expect(code).toBe(0);
  const shown = (name: string) => new RegExp(`${name} +(\\S+)`).exec(out)?.[1] ?? "";
  const account = { email: shown("Email"), password: shown("Password") };
  const { rest } = await signedIn(app(), account);
  const path = `/workspaces/${shown("Workspace")}`;
  expect((await rest.get(`${path}/members`)).body.items).toHaveLength(3);

  const boards: { publicId: string }[] = (await rest.get(`${path}/boards`)).body.items;
  const cards: Record<string, unknown>[] = [];
  for (const { publicId } of boards) {
    cards.push(...(await rest.get(`/boards/${publicId}/cards?limit=100`)).body.items);
  }
  expect([boards.length, cards.length]).toEqual([2, 60]);
  for (const field of ["dueDate", "description"] as const) {
    expect(cards.some((card) => card[field] !== null && card[field] !== false)).toBe(true);
  }
  expect(cards.some(({ isComplete }) => isComplete)).toBe(true);
  expect(cards.some(({ fields }) => Object.keys(fields as object).length > 0)).toBe(true);
  const { body: views } = await rest.get(`${path}/views`);
  const { body: groups } = await rest.get(`/views/${views[0].publicId}/groups`);
  expect(groups.total).toBeGreaterThan(0);
  const { body: found } = await rest.get(`${path}/search?query=contact`);
  expect(JSON.stringify(found)).toContain("Contact form");

  const again = await seed();
  expect([again.code, again.said]).toEqual([5, expect.stringContaining("exists")]);
  expect(again.said).toContain(`sign in as ${shown("Email")} with the password`);
});
