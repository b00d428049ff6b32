import { readFileSync } from "node:fs";
import { codeOf } from "./error-code.ts";

/** The settings whose values are secrets. Messages do not show them, and files can contain them. */
export const secretSettings = [
  "DATABASE_URL",
  "APP_SECRET",
  "APP_SECRET_PREVIOUS",
  "STORAGE_URL",
  "SMTP_URL",
  "ADMIN_KEY",
  "GITHUB_CLIENT_SECRET",
  "SIGN_IN_PROVIDERS",
  "TRELLO_API_KEY",
] as const;

const suffix = "_FILE";

/** The names of the settings that name a file with a secret, such as `APP_SECRET_FILE`. */
export const fileSettings: readonly string[] = secretSettings.map((name) => `${name}${suffix}`);

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the files that an environment names; returns the settings in them, and the problems. */
export function readSecretFiles(env: Environment): {
  settings: Record<string, string>;
  problems: string[];
} {
  const settings: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretSettings) {
    const path = env[`${name}${suffix}`];
    if (!path) continue;
    if (env[name]) {
      problems.push(`${name} and ${name}${suffix} are both set: remove one of them`);
      continue;
    }
    try {
      // Editors and `echo` end a file with a line break.
      const text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
      if (text === "") problems.push(`${name}${suffix}: the file ${path} is empty`);
      else settings[name] = text;
    } catch (error) {
      problems.push(`${name}${suffix}: the file ${path} cannot be read (${codeOf(error)})`);
    }
  }
  return { settings, problems };
}
