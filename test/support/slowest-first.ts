import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The tests that take longest, the slowest first: the long ones, then the fast ones. */
const slowest = [
  "transfer/imports/attacks.long",
  "api/stalls.long",
  "crash/webhooks",
  "cli/cli.long",
  "api/response-size.long",
  "fuzz/fuzz.long",
  "e2e/demo.long",
  "e2e/demo-custom-fields.long",
  "crash/imports",
  "crash/service-life",
  "crash/workspaces",
  "upgrade/previous-release.long",
  "kernel/walk.long",
  "domain/lists/bulk-large.long",
  "crash/attachments",
  "crash/stop",
  "crash/replay",
  "outbound/stream/ends.long",
  "app/failover.long",
  "app/rolling-restart.long",
  "crash/history",
  "contract/document-failures.long",
  "kernel/response-cache/writes.long",
  "contract/document-fields.long",
  "contract/document-requests.long",
  "app/lazy-modules.long",
  "contract/fuzz.long",
  "transfer/imports/workspace.long",
  "client/package.long",
  "kernel/access/views.long",
  "kernel/access/hidden.long",
  "property/sync.long",
  "e2e/docs.long",
  "e2e/operator-page.long",
  "generators/typescript.long",
  "transfer/imports/trello-file.long",
  "kernel/access/matrix-board.long",
  "kernel/access/foreign-ids-workspace.long",
  "api/uploads.long",
  "api/http-batch.long",
  "kernel/access/removed-meanwhile.long",
  // They wait, while lint and the compiler compute.
  "client/store/failures",
  "client/shared-stream",
  "kernel/jobs/mail",
  "api/slow-bodies",
  "kernel/access/matrix",
  "kernel/access/foreign-ids",
  "contract/document",
  "api/downloads",
  "kernel/access/hidden",
  "domain/imports/people",
].map((name) => `test/${name}.test.ts`);

/** Begins with the slowest files: other workers are idle while a slow file ends the run. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const missing = slowest.filter((file) => !existsSync(join(root, file)));
    if (missing.length > 0) throw new Error(`No such test: ${missing.join(", ")}`);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index < 0 ? slowest.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
