import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The long tests that take longest, the slowest first. */
const slowest = [
  "api/stalls.long",
  "fuzz/fuzz.long",
  "crash/workspaces",
  "crash/imports",
  "crash/service-life",
  "e2e/demo.long",
  "cli/cli.long",
  "crash/webhooks",
  "api/answer-size.long",
  "crash/service",
  "crash/embedded",
  "contract/fuzz.long",
  "e2e/docs.long",
  "crash/stop",
  "crash/attachments",
  "contract/document-failures.long",
  "client/package.long",
  "kernel/answers/writes.long",
  "property/cached-answers.long",
  "contract/document-fields.long",
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
