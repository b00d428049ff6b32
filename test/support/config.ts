import { z } from "zod";
import { constants, type Constants } from "../../src/platform/constants.ts";
import { Environment, type Config } from "../../src/platform/config.ts";

/** The configuration of an environment, with other constants. */
export const configOf = (env: Record<string, string>, others: Partial<Constants> = {}): Config => ({
  ...constants,
  ...z.strictObject(Environment.shape).parse(env),
  ...others,
});

/** Tests hash passwords cheaply. */
export const cheapHashing = { PASSWORD_HASH_MEMORY: 8 };

/** The environment in which a built service starts with other constants. */
export const withConstants = (others: Partial<Constants>): Record<string, string> => ({
  NODE_OPTIONS: `--import ${new URL("constants.mjs", import.meta.url).href}`,
  TEST_CONSTANTS: JSON.stringify(others),
});
