import { chown, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseAccount } from "../../../../src/platform/db/embedded/cluster.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const unprivileged = 65_534;

if (process.getuid?.() === 0) {
  test("as root: new data belongs to an account of its own, the same at each start", async () => {
    const home = await temporaryDirectory();
    const account = await chooseAccount(home);
    expect([0, unprivileged, undefined]).not.toContain(account.uid);
    expect(await chooseAccount(home)).toEqual(account);
  });

  test("as root: existing data stays with its owner", async () => {
    const home = await temporaryDirectory();
    await mkdir(join(home, "data"));
    await chown(join(home, "data"), unprivileged, unprivileged);
    expect(await chooseAccount(home)).toEqual({ uid: unprivileged, gid: unprivileged });
    expect((await stat(join(home, "data"))).uid).toBe(unprivileged);
  });
} else {
  test("without root PostgreSQL runs as the current account", async () => {
    expect(await chooseAccount(await temporaryDirectory())).toEqual({});
  });
}
