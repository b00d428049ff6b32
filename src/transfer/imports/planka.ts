import { z } from "zod";
import { Import } from "../../contract/resources/imports.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest } from "../../platform/errors.ts";
import { callHost, HostUrl } from "../integrations/hosts.ts";
import { checkAccess, plankaHost, signIn } from "../integrations/planka/read.ts";
import { SourceId } from "../integrations/shapes.ts";
import { hostContent } from "./host-content.ts";
import { startImport } from "./job/start.ts";

const secret = z.string().min(1).max(4_096);
const ids = z
  .array(SourceId.meta({ examples: ["1357158568008091264"] }))
  .min(1)
  .max(200);

const PlankaInput = z.strictObject({
  url: HostUrl.meta({ description: "The address of Planka." }),
  token: secret.optional().meta({
    description: "An access token of Planka. It is deleted after the import.",
    examples: ["eyJhbGciOiJIUzI1NiJ9.e30.5mhBHqs5_DTLdINd9p5m7ZJ6XD0Xc55kIaCRY5r6HRA"],
  }),
  apiKey: secret.optional().meta({
    description: "An API key of Planka 2. It is deleted after the import.",
    examples: ["D89VszVs_oSS6TdDtYmi0j1LhugOioY40dDVssESO"],
  }),
  emailOrUsername: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: "The account at Planka.", examples: ["ada@example.com"] }),
  password: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({
      description: "The password at Planka. It is used once, to get a token, and never stored.",
      examples: ["correct horse battery staple"],
    }),
  projectIds: ids.optional().meta({ description: "Only boards of these projects at Planka." }),
  boardIds: ids.optional().meta({ description: "Only these boards at Planka." }),
});

const credentialMessage = "Send one of token, apiKey, or emailOrUsername with password.";

/** Imports boards from Planka's API. */
export const importPlanka = externalMutation("import.planka", PlankaInput, { callsOut: true })
  .meta(
    rest("Imports").post(
      "/imports/planka",
      "Import boards from Planka",
      "Starts an import of boards from Planka 1 or 2, which runs in the background: `import.get` " +
        "returns progress and report. Send the address of Planka, and an access token, an API " +
        "key, or an email address or username with the password. Without ids, all boards that " +
        "the account sees are imported. The token or key is stored encrypted until the import " +
        "ends; a password is not stored. Importing the same boards again creates only what is " +
        "missing. Returns 400 if the service may not call the address, and 403 if Planka " +
        "refuses the credentials.",
      { errors: ["BAD_GATEWAY"] },
    ),
  )
  .output(Import)
  .mutation(async ({ ctx, input }) => {
    const { outgoing } = ctx.deps;
    const { url, projectIds, boardIds } = input;
    const credential = await credentialOf(input, (login) => signIn(url, login, outgoing));
    await checkAccess(callHost(plankaHost(url, credential), outgoing));
    const selected = { projectIds, boardIds };
    const content = hostContent(url, selected);
    const job = { input: { url, ...credential, ...selected }, content };
    return ctx.transact((tx) => startImport(tx, ctx, "planka", job));
  });

type Input = Pick<z.infer<typeof PlankaInput>, "token" | "apiKey" | "emailOrUsername" | "password">;

/** The one credential of an input; a password is exchanged for a token. */
async function credentialOf(
  { token, apiKey, emailOrUsername, password }: Input,
  exchange: (input: { emailOrUsername: string; password: string }) => Promise<string>,
) {
  const hasLogin = emailOrUsername !== undefined && password !== undefined;
  const hasPart = emailOrUsername !== undefined || password !== undefined;
  const credentialCount = [token !== undefined, apiKey !== undefined, hasPart].filter(
    Boolean,
  ).length;
  if (credentialCount !== 1 || hasPart !== hasLogin)
    throw badRequest("required", credentialMessage);
  if (hasLogin) return { token: await exchange({ emailOrUsername, password }) };
  return token === undefined ? { apiKey } : { token };
}
