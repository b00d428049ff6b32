import { execFile } from "node:child_process";
import { chmod, chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";

/** A number that no account of a machine has. */
const uid = 1_234_567;

/** What the start of the built service prints as that user. */
const startAs = (dataDir: string) =>
  new Promise<string>((resolve) => {
    const env = { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir };
    const program = [join(process.cwd(), "dist/main.js")];
    const options = { uid, gid: 0, cwd: "/", env, timeout: 100_000 };
    execFile(process.execPath, program, options, (_, out, error) => resolve(`${out}${error}`));
  });

test.runIf(process.getuid?.() === 0 && process.platform === "linux")(
  "a user without a name, as in OpenShift, reads that DATABASE_URL is needed",
  async () => {
    const parent = await temporaryDirectory();
    await chmod(parent, 0o755);
    const own = join(parent, "own");
    await mkdir(own);
    await chown(own, uid, 0);
    expect(await startAs(own)).toMatch(/user 1234567, which has no name.*set DATABASE_URL/);
    const foreign = join(parent, "foreign");
    await mkdir(foreign, { mode: 0o755 });
    expect(await startAs(join(foreign, "data"))).toMatch(/cannot be written.*set DATABASE_URL/);
    await mkdir(join(parent, "closed", "postgres"), { recursive: true, mode: 0o700 });
    const closed = await startAs(join(parent, "closed"));
    expect(closed).toMatch(/user 1234567 may not read it, or a folder above it\. .*set DATA_DIR/);
    expect(closed).not.toContain("damaged");
  },
);
