// How the page that connects apps calls the service. The tokens of its session are in this module's
// memory, and nowhere else: there is no cookie, and the session ends when the page is left.

let tokens;

/** What the service refused, in its words. */
export class Refusal extends Error {
  constructor(status, message, secondFactor) {
    super(message);
    this.status = status;
    /** How a sign-in goes on that waits for a second factor. */
    this.secondFactor = secondFactor;
  }
}

const messageOf = ({ message, issues = [] }) =>
  issues.length === 0 ? message : issues.map((issue) => issue.message).join(" ");

/** Calls an operation such as `POST /oauth/decide`, and returns its answer. */
export async function call(operation, body) {
  const [method, path] = operation.split(" ");
  const response = await fetch(`../api/v1${path}`, {
    method,
    cache: "no-store",
    headers: {
      ...(tokens === undefined ? {} : { Authorization: `Bearer ${tokens.accessToken}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error) => {
    throw new Refusal(0, `The service cannot be reached: ${error.message}.`);
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refusal(
    response.status,
    messageOf({ message: `The service answered with status ${response.status}.`, ...answer }),
    answer.issues?.[0]?.secondFactor,
  );
}

/** All items of a list, page by page. */
export async function all(path) {
  const items = [];
  for (let cursor; ;) {
    const query = new URLSearchParams({ limit: 100, ...(cursor && { cursor }) });
    const page = await call(`GET ${path}?${query}`);
    items.push(...page.items);
    if (!page.nextCursor) return items;
    cursor = page.nextCursor;
  }
}

async function start(operation, body) {
  tokens = undefined;
  const { user, ...session } = await call(operation, body);
  tokens = session;
  return user;
}

/** Signs in, and returns the account. A refusal has `secondFactor` if that has to follow. */
export const signIn = (credentials) => start("POST /auth/login", credentials);

/** Finishes a sign-in with a second factor: a code, or without one a passkey of this browser. */
export async function confirm({ challenge, passkey }, code) {
  const answer = code === undefined ? { passkey: await signedBy(passkey) } : { code };
  return start("POST /auth/confirm", { challenge, ...answer });
}

/** Whether this browser can use passkeys. */
export const canUsePasskeys = () =>
  globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;

async function signedBy(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch((error) => {
    throw new Refusal(0, `The passkey was not used: ${error.message}`);
  });
  return credential.toJSON();
}

/** Ends the session of this page. */
export async function signOut() {
  await call("POST /auth/logout").catch(() => undefined);
  tokens = undefined;
}
