import { expect, onTestFinished, test } from "vitest";
import { jobLeaseMs } from "../../../src/kernel/jobs/queue.ts";
import { runDue } from "../../support/jobs.ts";
import { queueMail } from "../../../src/kernel/jobs/mail.ts";
import { startApp } from "../../support/app.ts";
import { run } from "../../support/program.ts";
import { startSmtp } from "../../support/smtp.ts";
import { jobsOf, write } from "./fixtures.ts";

test("kill -9 during a job loses nothing: another worker claims it when the lease expires", async () => {
  const [dead, good] = [await startSmtp(), await startSmtp()];
  onTestFinished(() => [dead, good].forEach((smtp) => smtp.close()));
  const app = await startApp({ env: { SMTP_URL: good.url } });
  onTestFinished(() => app.close());
  await write(app, (tx) =>
    queueMail(tx, app.deps, { to: "ann@example.com", subject: "Still here", text: "After all" }),
  );
  const arrived = dead.stall();
  const worker = run(new URL("worker.ts", import.meta.url), app.url, dead.url);
  onTestFinished(() => worker.kill());
  expect(await worker.next()).toEqual({ working: true });
  await arrived;
  expect(await jobsOf(app)).toMatchObject([{ status: "running", attempts: 1 }]);
  await worker.kill("SIGKILL");

  await runDue(app.deps);
  expect(good.mails).toEqual([]);
  app.advance(jobLeaseMs * 2);
  await runDue(app.deps);
  expect(good.mails).toMatchObject([{ to: ["ann@example.com"], text: "After all" }]);
  expect(await jobsOf(app)).toMatchObject([{ status: "completed", attempts: 2 }]);
});
