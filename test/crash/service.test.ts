import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { expectAnnounced, expectSound, cardIdsByList } from "../property/invariants.ts";
import { serviceDirectory } from "../support/temporary.ts";
import { clientOf, settle, type Home } from "./service-client.ts";
import { killDatabase, startBuilt, type ServiceProcess } from "./service-process.ts";
import { writer, type Writer } from "./service-writer.ts";

/** The whole of it: CRASH_ROUNDS=10. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 3);

/** Asserts that exactly the acknowledged writes are there; returns the number of cards. */
async function expectAcknowledged(url: string, home: Home, writers: Writer[]): Promise<number> {
  const { status, body } = await clientOf(() => url, home.token)("GET", `/boards/${home.board}`);
  expect(status).toBe(200);
  cardIdsByList(body);
  const found = new Map<string, { title: string; list: string }>();
  for (const { publicId: list, cards } of body.lists) {
    for (const { publicId, title } of cards) found.set(publicId, { title, list });
  }
  for (const { cards } of writers) {
    for (const [id, card] of cards) {
      const now = found.get(id);
      expect([card.acknowledged, card.pending], `card ${id}`).toContainEqual(now);
      if (now !== undefined) card.acknowledged = now;
      delete card.pending;
    }
  }
  const known = writers.reduce((sum, { cards }) => sum + cards.size, 0);
  const unanswered = writers.reduce((sum, one) => sum + one.unanswered, 0);
  expect(found.size).toBeLessThanOrEqual(known + unanswered);
  return found.size;
}

test(`kill -9 of service and database during writes, ${rounds} times, loses no acknowledged write`, async () => {
  const dataDir = await serviceDirectory();
  let service: ServiceProcess = await startBuilt(dataDir);
  const home = await settle(service.url);
  const url = () => service.url;
  const writers = Array.from({ length: 8 }, (_, n) => writer(url, home, `Writer ${n}`));
  let acknowledged = 0;
  for (let round = 0; round < rounds; round++) {
    const last = acknowledged + 40 + Math.floor(Math.random() * 120);
    let crash: Promise<void> | undefined;
    // In turn: the service alone, the database first, the service first.
    const strike = async () => {
      if (round % 3 === 1) expect(await killDatabase(dataDir)).toBe(true);
      service.kill();
      if (round % 3 === 2) expect(await killDatabase(dataDir)).toBe(true);
    };
    await Promise.all(
      writers.map((one) =>
        one.run(() => {
          if (++acknowledged >= last) crash ??= strike();
        }),
      ),
    );
    await crash;
    expect(await service.ended).toBeNull();

    service = await startBuilt(dataDir);
    const { status, body } = await clientOf(url)("GET", "/health");
    expect([status, body.status, body.database]).toEqual([200, "ok", "ok"]);
    await expectAcknowledged(service.url, home, writers);
  }

  const database = await startEmbedded({ dataDir, log: pino({ level: "silent" }) });
  onTestFinished(() => database.stop());
  const db = await openDatabase(database.url, 2, pino({ level: "silent" }));
  onTestFinished(() => db.close());
  await expectSound({ db });
  await expectAnnounced({ db });
  expect(acknowledged).toBeGreaterThanOrEqual(rounds * 40);
});
