import { z } from "zod";

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be lower-case letters, digits, -");
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const secret = z.string().min(1);

const common = {
  /** Its name in addresses; by default the kind. */
  id: id.optional(),
  /** What people read. */
  name: z.string().min(1).max(64).optional(),
  clientId: z.string().min(1),
};
/** Whether the operator vouches that the addresses of a provider belong to its users. */
const trustsEmail = z.boolean().default(false);

const Provider = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("google"),
    ...common,
    clientSecret: secret,
    issuer: address.default("https://accounts.google.com"),
  }),
  z.strictObject({
    kind: z.literal("github"),
    ...common,
    clientSecret: secret,
    url: address.default("https://github.com"),
    apiUrl: address.default("https://api.github.com"),
  }),
  z.strictObject({
    kind: z.literal("gitlab"),
    ...common,
    clientSecret: secret,
    issuer: address.default("https://gitlab.com"),
  }),
  z.strictObject({
    kind: z.literal("microsoft"),
    ...common,
    clientSecret: secret,
    /** The id of the organisation: its users alone sign in. */
    tenant: z.guid({ error: "must be the id of a tenant" }),
    url: address.default("https://login.microsoftonline.com"),
    trustsEmail,
  }),
  z.strictObject({
    kind: z.literal("apple"),
    ...common,
    teamId: z.string().min(1),
    keyId: z.string().min(1),
    /** The private key of the service id: PKCS #8 in PEM. */
    privateKey: z.string().includes("PRIVATE KEY"),
    issuer: address.default("https://appleid.apple.com"),
  }),
  z.strictObject({
    kind: z.literal("oidc"),
    ...common,
    clientSecret: secret,
    issuer: address,
    trustsEmail,
  }),
]);

/** A provider of sign-in, as the operator has configured it. */
export type SignInProvider = z.infer<typeof Provider> & { id: string; name: string };

const names = {
  google: "Google",
  github: "GitHub",
  gitlab: "GitLab",
  microsoft: "Microsoft",
  apple: "Apple",
  oidc: "OpenID Connect",
} as const;

/** Reads the setting `SIGN_IN_PROVIDERS`: an array in JSON. Throws what is wrong with it. */
export function readSignInProviders(text: string): SignInProvider[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("must be an array in JSON");
  }
  const read = z.array(Provider).max(20).safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${issue?.path.join(".") || "it"}: ${issue?.message}`);
  }
  const providers = read.data.map((provider) => ({
    ...provider,
    id: provider.id ?? provider.kind,
    name: provider.name ?? names[provider.kind],
  }));
  if (new Set(providers.map((provider) => provider.id)).size < providers.length) {
    throw new Error("must have an id of its own for each provider");
  }
  return providers;
}
