import { defineCommand } from "citty";
import { checkArguments } from "./command.ts";
import { readUrl } from "./config.ts";
import { print } from "./progress.ts";
import { seed, signInText } from "./sample-workspace.ts";

const args = {
  url: {
    type: "string",
    description: "Address of the service (default: WBS_URL, else http://127.0.0.1:3000)",
    valueHint: "address",
  },
} as const;

/** Makes the sample workspace, and prints how to sign in. */
export const seedCommand = defineCommand({
  meta: { name: "wbs seed", description: "Fill a service with a sample workspace" },
  args,
  async run({ args: { url }, rawArgs }) {
    checkArguments(rawArgs, args);
    print(signInText(await seed(readUrl(url))));
  },
});
