import { expect, test } from "vitest";
import { exported } from "../../transfer/exports/fetching.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { alsoIn, move } from "../boards/moving.ts";

const app = useApp();

test("the history of an exported card is the history that the card shows", async () => {
  const here = await makeWorkspace(app());
  const there = await makeWorkspace(app());
  const mover = await join(app(), here, "admin");
  await alsoIn(there, mover, "admin");
  const [secret, open] = [await makeBoard(here), await makeBoard(here)];
  await mover.rest.put(`/boards/${secret.publicId}`, { visibility: "restricted" });
  const moved = await makeCard(mover, secret.lists[0] ?? "", "Moved");
  const plain = await makeCard(mover, open.lists[0] ?? "", "Always there");
  await mover.rest.post(`/cards/${moved}/comments`, { comment: "Said on the restricted board" });
  await mover.rest.put(`/cards/${moved}`, { listPublicId: open.lists[0] });
  await mover.rest.put(`/cards/${moved}`, { title: "Renamed" });
  expect((await move(mover, open.publicId, there)).status).toBe(200);
  await mover.rest.post(`/cards/${moved}/comments`, { comment: "Said here" });

  const { admin } = there;
  const { cards } = await exported(app(), admin.token, there.publicId);
  for (const publicId of [moved, plain]) {
    const { body } = await admin.rest.get(`/cards/${publicId}/activities?limit=100`);
    const { activity } = cards.find((card: any) => card.publicId === publicId);
    expect(body.items).toMatchObject(activity.toReversed());
    expect(body.items).toHaveLength(activity.length);
    expect(activity).not.toEqual([]);
  }
  expect(JSON.stringify(cards)).toContain("Said here");
  expect(JSON.stringify(cards)).not.toContain(secret.publicId);
});
