import { beforeAll, expect, test } from "vitest";
import { jobIdOf } from "../../../src/domain/operator/find-job.ts";
import { PermanentFailure, runNext } from "../../../src/kernel/jobs/run.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { putImport } from "../../kernel/access/fixtures.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { deliverDue } from "../../support/deliveries.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { insertJob } from "../../support/operator.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";

const ADMIN_KEY = "the key of the operator";
const app = useApp({
  env: { ADMIN_KEY, WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" },
  isolated: true,
});
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

const headers = { "X-Admin-Key": ADMIN_KEY };
const get = (path: string) => as(app()).rest.get(`/operator${path}`, { headers });
const post = (path: string) => as(app()).rest.post(`/operator${path}`, undefined, { headers });

test("a failed job keeps what it is about, and runs again", async () => {
  await makeUser(app());
  const { email } = await makeUser(app());
  await as(app()).rest.post("/auth/password/reset-request", { email });
  const fails = async () => {
    throw new PermanentFailure("The mail server is on fire.");
  };
  await runNext(app().deps, { passwordReset: fails });
  expect(app().errors.splice(0)).toHaveLength(1);
  const { body } = await get("/jobs?status=failed");
  expect(body.items).toMatchObject([
    { kind: "passwordReset", attemptCount: 1, error: "The mail server is on fire." },
  ]);
  const { jobId } = body.items[0];
  // A newer request of the same address waits.
  await as(app()).rest.post("/auth/password/reset-request", { email });
  const doubled = await post(`/jobs/${jobId}/retry`);
  expect(doubled.body.issues).toMatchObject([{ message: "A newer job does the same." }]);
  await runNext(app().deps, { passwordReset: async () => undefined });
  expect((await post(`/jobs/${jobId}/retry`)).status).toBe(200);
  const payloads: unknown[] = [];
  await runNext(app().deps, { passwordReset: async (_, payload) => void payloads.push(payload) });
  expect(payloads).toEqual([{ email }]);
  const again = await post(`/jobs/${jobId}/retry`);
  expect(again).toMatchObject({ status: 409, body: { issues: [{ code: "job_not_waiting" }] } });
});

test("a waiting job is cancelled; one of the service's own, an import and a made-up id are not", async () => {
  const id = await insertJob(app(), "queued");
  const jobId = jobIdOf(app().deps.seal, id);
  const listed = await get("/jobs?status=queued");
  expect(listed.body.items).toContainEqual(expect.objectContaining({ jobId, kind: "mail" }));
  expect((await post(`/jobs/${jobId}/cancel`)).status).toBe(200);
  expect((await post(`/jobs/${jobId}/cancel`)).status).toBe(409);
  for (const kind of ["purge", "import"]) {
    const [row] = await app().db.write<{ id: bigint }>(
      sql`INSERT INTO jobs (kind, "runAt") VALUES (${kind}, now() + interval '1 year') RETURNING id`,
    );
    const path = `/jobs/${jobIdOf(app().deps.seal, row?.id ?? 0n)}/cancel`;
    expect((await post(path)).status, kind).toBe(409);
  }
  expect((await post("/jobs/made-up/cancel")).status).toBe(404);
});

test("a failing webhook is found, its delivery sent again, and it is disabled", async () => {
  const { publicId, admin } = await makeWorkspace(app());
  const path = `/workspaces/${publicId}/webhooks`;
  const secret = `${receiver.url}/secret-path`;
  const { body: hook } = await admin.rest.post(path, {
    name: "Hook",
    url: secret,
    events: ["workspace.updated"],
  });
  receiver.response({ status: 500 });
  await admin.rest.put(`/workspaces/${publicId}`, { description: "new" });
  await deliverDue(app().deps);
  const failing = await get("/webhooks?isFailing=true");
  expect(failing.body.items).toMatchObject([
    {
      publicId: hook.publicId,
      workspacePublicId: publicId,
      isActive: true,
      origin: new URL(secret).origin,
    },
  ]);
  expect(JSON.stringify(failing.body)).not.toContain("secret-path");
  const { body } = await get(`/webhooks/${hook.publicId}/deliveries?status=pending`);
  const [delivery] = body.items;
  expect(delivery).toMatchObject({ statusCode: 500, type: "workspace.updated" });
  receiver.response({ status: 200 });
  const retried = await post(`/webhooks/${hook.publicId}/deliveries/${delivery.publicId}/retry`);
  expect(retried.status).toBe(200);
  await deliverDue(app().deps);
  expect((await get("/webhooks?isFailing=true")).body.items).toEqual([]);

  expect((await post(`/webhooks/${hook.publicId}/disable`)).status).toBe(200);
  expect((await admin.rest.get(`${path}/${hook.publicId}`)).body.isActive).toBe(false);
  const { body: audit } = await admin.rest.get(
    `/workspaces/${publicId}/audit?type=webhook.updated`,
  );
  expect(audit.items).toMatchObject([
    { actor: { name: "operator" }, changes: { isActive: { to: false } } },
  ]);
});

test("an import of any workspace is listed and cancelled", async () => {
  const { publicId, admin } = await makeWorkspace(app());
  const row = await app().db.reader.workspace.findUniqueOrThrow({ where: { publicId } });
  const { id } = await app().db.reader.user.findUniqueOrThrow({ where: { email: admin.email } });
  const importPublicId = await putImport(app(), row.id, id);
  const { body } = await get("/imports?status=queued");
  expect(body.items).toMatchObject([{ publicId: importPublicId, workspaceName: row.name }]);
  const cancelled = await post(`/imports/${importPublicId}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, body: { status: "cancelled" } });
  expect((await admin.rest.get(`/imports/${importPublicId}`)).body.status).toBe("cancelled");
});
