import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The tests that take longest, the slowest first: the long ones, then the fast ones. */
const slowest = [
  "api/stalls.long",
  "crash/webhooks",
  "cli/cli.long",
  "fuzz/fuzz.long",
  "e2e/demo.long",
  "api/answer-size.long",
  "crash/service-life",
  "crash/workspaces",
  "generators/typescript.long",
  "outbound/stream/ends.long",
  "crash/imports",
  "crash/stop",
  "e2e/docs.long",
  "transfer/imports/workspace.long",
  "contract/document-fields.long",
  "contract/document-failures.long",
  "client/package.long",
  "kernel/answers/writes.long",
  "property/sync.long",
  "transfer/imports/trello-file.long",
  "contract/fuzz.long",
  "crash/attachments",
  "contract/document-requests.long",
  "crash/history",
  "kernel/access/grid",
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
