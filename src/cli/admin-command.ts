import type { ArgsDef } from "citty";
import { z } from "zod";
import type { Api } from "./api.ts";
import { command } from "./command.ts";
import { readAdminConnection } from "./config.ts";
import { CliFailure, exits } from "./failure.ts";
import { Item, listOptions, printItem, printList } from "./table.ts";

const key = {
  key: {
    type: "string",
    description: "The service's ADMIN_KEY (default: WBS_ADMIN_KEY; else the token of an operator)",
    valueHint: "key",
  },
} as const satisfies ArgsDef;

const asJson = { json: listOptions.json } as const;

type Values = Record<string, string | boolean | undefined>;

/** A command of an operator that lists something. */
export const listing = (
  name: string,
  description: string,
  options: ArgsDef,
  columns: Record<string, string>,
  path: (values: Values) => string,
  query: (values: Values) => Record<string, string | undefined> = () => ({}),
) =>
  command(
    `wbs admin ${name}`,
    description,
    { ...options, ...listOptions, ...key },
    ({ limit, json, ...values }, api) =>
      printList(api, path(valuesOf(values)), query(valuesOf(values)), columns, { limit, json }),
    readAdminConnection,
  );

/** What a command calls. */
type Call = { method: "GET" | "POST" | "PUT" | "DELETE"; path: string; json?: object };

/** A command of an operator that calls one operation, and prints its answer. */
export const action = (
  name: string,
  description: string,
  options: ArgsDef,
  call: (values: Values, api: Api) => Call | Promise<Call>,
) =>
  command(
    `wbs admin ${name}`,
    description,
    { ...options, ...asJson, ...key },
    async ({ json, ...values }, api) => {
      const { path, ...init } = await call(valuesOf(values), api);
      printItem(await api.json(Item, `/operator${path}`, init), json);
    },
    readAdminConnection,
  );

/** The options of a command by their names. */
const valuesOf = (values: object): Values =>
  z
    .record(z.string(), z.union([z.string(), z.boolean(), z.undefined()]).catch(undefined))
    .parse(values);

/** An argument that has to be there. */
export const argument = (description: string) =>
  ({ type: "positional", required: true, description }) as const;

/** An option that says yes, before something is deleted. */
export const confirmed = {
  yes: { type: "boolean", description: "Delete without a question" },
} as const satisfies ArgsDef;

/** Fails unless `--yes` is set. */
export function requireYes({ yes }: Values, what: string): void {
  if (yes === true) return;
  throw new CliFailure(exits.usage, `This deletes ${what}. Repeat the command with --yes.`);
}

const Users = z.object({ items: z.array(z.object({ publicId: z.string(), email: z.string() })) });

/** The id of an account, from its id or its address. */
export async function findUserId(api: Api, idOrEmail: string): Promise<string> {
  if (!idOrEmail.includes("@")) return encodeURIComponent(idOrEmail);
  const email = idOrEmail.trim().toLowerCase();
  const path = `/operator/users?limit=100&find=${encodeURIComponent(email)}`;
  const { items } = await api.json(Users, path);
  const user = items.find((one) => one.email === email);
  if (user === undefined)
    throw new CliFailure(exits.notFound, `No account has the address ${email}.`);
  return user.publicId;
}

/** A part of a path. */
export const segment = (value: string | boolean | undefined): string =>
  encodeURIComponent(String(value ?? ""));

/** An option as a text; undefined without it. */
export const optional = (value: string | boolean | undefined): string | undefined =>
  value === undefined || value === false ? undefined : String(value);
