import {
  readConfig,
  removedSettings,
  unknownSettings,
  type Config,
} from "../../platform/config.ts";
import { checkDatabase } from "./database.ts";
import { fault, messageOf, ok, warning, type Finding, type Reported } from "./finding.ts";
import { checkSettings } from "./settings.ts";
import * as surroundings from "./surroundings.ts";

type Check = (config: Config, now: () => Date) => Finding[] | Promise<Finding[]>;

/** What is checked, in this order, by its name. */
const checks: Readonly<Record<string, Check>> = {
  settings: checkSettings,
  data: surroundings.checkDataDirectory,
  database: checkDatabase,
  storage: surroundings.checkStorage,
  mail: surroundings.checkMail,
  issuer: surroundings.checkIssuer,
  "sign-in": surroundings.checkProviders,
  address: surroundings.checkAddress,
};

/** What is examined: the environment, the variables of its `.env` file, and the clock. */
export type Patient = {
  env: NodeJS.ProcessEnv;
  envFile: Readonly<Record<string, string | undefined>>;
  now: () => Date;
};

/** Checks an installation, and tells each finding as soon as it is known. */
export async function* examine({ env, envFile, now }: Patient): AsyncGenerator<Reported> {
  for (const text of [...removedSettings(env), ...unknownSettings(envFile)])
    yield { check: "settings", ...warning(text, "Remove it from the environment or from .env.") };
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    const [, ...problems] = messageOf(error).split("\n  - ");
    for (const problem of problems.length === 0 ? [messageOf(error)] : problems)
      yield { check: "settings", ...fault(problem, "The service does not start: .env.example.") };
    return;
  }
  yield { check: "settings", ...ok("Every setting has a valid value.") };
  for (const [check, run] of Object.entries(checks)) {
    const found = await Promise.resolve(run(config, now)).catch((error: unknown) => [
      fault(
        `It could not be checked: ${messageOf(error)}.`,
        "Mend what else is wrong, and repeat.",
      ),
    ]);
    for (const finding of found) yield { check, ...finding };
  }
}
