const algorithm = { name: "ECDSA", namedCurve: "P-256" };
const encoder = new TextEncoder();

/** A private key as a JWK, for the algorithm ES256. It is a secret of your backend. */
export type IssuerKey = {
  kty: string;
  crv: string;
  x: string;
  y: string;
  d: string;
  kid: string;
};

/** A user of your application. */
export type Identity = {
  /** The stable id of the user in your application. */
  subject: string;
  /** The email address, which your application has verified. */
  email?: string;
  /** The display name. */
  name?: string;
  /** An https URL. */
  picture?: string;
};

/** Your backend as the issuer of the tokens of its users. */
export type Issuer = {
  /** The `token` of a client that acts as a user: `createClient({ url, auth: { token } })`. */
  actAs(identity: Identity): () => Promise<string>;
  /** The body of `GET /.well-known/openid-configuration`. */
  discovery: { issuer: string; jwks_uri: string };
  /** The body of `GET /.well-known/jwks.json`: the public keys. */
  jwks: { keys: object[] };
};

type Options = {
  /** The address of your backend, as `OIDC_ISSUER` of the service names it. */
  issuer: string;
  /** One of `OIDC_AUDIENCE`. */
  audience: string;
  /** The private key of your backend, of `newIssuerKey`. */
  key: IssuerKey;
  /** Keys from before a rotation: their tokens stay valid. */
  previousKeys?: readonly IssuerKey[];
  /** How long a token is valid (300). */
  seconds?: number;
};

/** Makes a key for `createIssuer`. Store it as a secret. */
export async function newIssuerKey(): Promise<IssuerKey> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return { kty, crv, x, y, d, kid: crypto.randomUUID() } as IssuerKey;
}

/** Makes your backend the issuer of short tokens. */
export function createIssuer({ issuer, audience, key, ...options }: Options): Issuer {
  const { previousKeys = [], seconds = 300 } = options;
  // The service compares the issuer exactly, with or without a final slash.
  const base = issuer.replace(/(?<!\/)\/+$/, "");
  const { kid, kty, crv, x, y, d } = key;
  const imported = crypto.subtle.importKey("jwk", { kty, crv, x, y, d }, algorithm, false, [
    "sign",
  ]);
  // A fault of the key is reported by the first token.
  imported.catch(() => undefined);

  async function mint({ subject, email, name, picture }: Identity, now: number): Promise<string> {
    const claims = {
      iss: issuer,
      aud: audience,
      sub: subject,
      iat: now,
      exp: now + seconds,
      ...(email === undefined ? {} : { email, email_verified: true }),
      ...(name === undefined ? {} : { name }),
      ...(picture === undefined ? {} : { picture }),
    };
    const signed = `${encode({ alg: "ES256", typ: "JWT", kid })}.${encode(claims)}`;
    const hash = { name: "ECDSA", hash: "SHA-256" };
    const signature = await crypto.subtle.sign(hash, await imported, encoder.encode(signed));
    return `${signed}.${base64url(new Uint8Array(signature))}`;
  }

  return {
    discovery: { issuer, jwks_uri: `${base}/.well-known/jwks.json` },
    jwks: { keys: [key, ...previousKeys].map(publicKey) },
    actAs(identity) {
      let token: Promise<string> | undefined;
      let until = 0;
      return async () => {
        const now = Math.floor(Date.now() / 1000);
        if (token === undefined || now >= until) {
          token = mint(identity, now);
          until = now + seconds / 2;
        }
        return token;
      };
    },
  };
}

const publicKey = ({ kty, crv, x, y, kid }: IssuerKey) => ({
  kty,
  crv,
  x,
  y,
  kid,
  alg: "ES256",
  use: "sig",
});

const encode = (value: object) => base64url(encoder.encode(JSON.stringify(value)));

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
