import { defineCommand } from "citty";
import { checkArguments } from "./command.ts";
import { readUrl } from "./config.ts";
import { CliFailure, exits } from "./failure.ts";
import { print } from "./progress.ts";
import { people } from "./sample-content.ts";
import { seed, signInText } from "./sample-workspace.ts";

const args = {
  url: {
    type: "string",
    description: "Address of the service (default: WBS_URL, else http://127.0.0.1:3000)",
    valueHint: "address",
  },
} as const;

/** Explains that the accounts of the sample workspace are there already. */
function explain(error: unknown): never {
  if (!(error instanceof CliFailure) || error.exit !== exits.conflict) throw error;
  const hint =
    `The service has a sample workspace: sign in as ${people.ada.email} with the password that ` +
    "was printed then, or fill another, empty service.";
  throw new CliFailure(error.exit, `${error.message}\n  ${hint}`, { cause: error });
}

/** Makes the sample workspace, and prints how to sign in. */
export const seedCommand = defineCommand({
  meta: { name: "wbs seed", description: "Fill a service with a sample workspace" },
  args,
  async run({ args: { url }, rawArgs }) {
    checkArguments(rawArgs, args);
    print(signInText(await seed(readUrl(url)).catch(explain)));
  },
});
