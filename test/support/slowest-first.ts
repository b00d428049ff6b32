import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The long tests that take longest, the slowest first. */
const slowest = [
  "crash/imports",
  "api/stalls.long",
  "crash/webhooks",
  "crash/workspaces",
  "crash/service-life",
  "fuzz/fuzz.long",
  "e2e/demo.long",
  "domain/boards/limit.long",
  "cli/cli.long",
  "contract/fuzz.long",
  "crash/stop",
  "property/cached-answers.long",
  "client/package.long",
  "transfer/imports/trello-large.long",
  "crash/embedded",
  "domain/workspaces/snapshot-memory.long",
  "kernel/answers/writes.long",
  "platform/regular-expressions.long",
  "contract/document-examples.long",
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
