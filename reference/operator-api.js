// How the operator's page calls the service. What proves the operator is in this module's memory, and
// nowhere else: a reload of the page signs out.

/** A limit of a day is an error: nobody waits for hours. */
const longestWait = 60;
const maxTries = 5;

/** `{ adminKey }`, or the tokens of a session. */
let credential;

/** What the service refused, in its words. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const headersOf = ({ adminKey, accessToken } = {}) => ({
  ...(adminKey === undefined ? {} : { "X-Admin-Key": adminKey }),
  ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
});

/** Sends an operation such as `GET /operator/users/{userPublicId}` with its input. */
function send(operation, input, { signal, as = credential } = {}) {
  const [method, template] = operation.split(" ");
  const values = { ...input };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    delete values[name];
    return encodeURIComponent(value);
  });
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const isRead = method === "GET";
  const query = isRead && given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  const hasBody = !isRead && given.length > 0;
  return fetch(`api/v1${path}${query}`, {
    method,
    signal,
    cache: "no-store",
    headers: {
      ...headersOf(as),
      ...(hasBody ? { "Content-Type": "application/json" } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(given)) } : {}),
  }).catch((error) => {
    if (signal?.aborted) throw error;
    const unsure = isRead ? "" : " Look whether it was done before you repeat it.";
    throw new Refusal(0, `The service cannot be reached: ${error.message}.${unsure}`);
  });
}

/** The message of an answer, with that of each issue. */
async function refusalOf(response) {
  const { status } = response;
  const answer = await response.json().catch(() => undefined);
  if (answer?.message === undefined) {
    return new Refusal(status, `The service answered with status ${status}.`);
  }
  const issues = (answer.issues ?? []).map(({ message, path = [] }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  return new Refusal(status, [`${answer.message} (${status}).`, ...issues].join(" "));
}

const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

let renewal;

/** Gets new tokens, once for all calls that wait for them. */
function renew() {
  const { refreshToken } = credential;
  const keep = (tokens) => {
    // Unless somebody has signed out meanwhile.
    if (credential?.refreshToken === refreshToken) credential = tokens;
    return tokens;
  };
  const forget = (error) => {
    if (error.status === 401 && credential?.refreshToken === refreshToken) credential = undefined;
    throw error;
  };
  renewal ??= exchange(refreshToken)
    .then(keep, forget)
    .finally(() => (renewal = undefined));
  return renewal;
}

async function exchange(refreshToken) {
  const response = await send("POST /auth/refresh", { refreshToken }, { as: {} });
  return response.ok ? response.json() : Promise.reject(await refusalOf(response));
}

/**
 * Calls an operation and returns its answer. A read waits when the service asks for it, and is
 * repeated; a write is sent once, or again with new tokens after a 401, which did nothing.
 */
export async function call(operation, input = {}, { signal, waits } = {}) {
  const isRead = operation.startsWith("GET ");
  let mayRenew = credential?.refreshToken !== undefined;
  for (let tries = 1; ; tries++) {
    const used = credential;
    const response = await send(operation, input, { signal });
    if (response.ok) return response.json();
    const seconds = Number(response.headers.get("Retry-After") ?? 1);
    if (response.status === 429 && isRead && tries < maxTries && seconds <= longestWait) {
      waits?.(seconds);
      await pause(seconds, signal);
    } else if (response.status === 401 && mayRenew) {
      mayRenew = false;
      if (credential === used) await renew();
    } else {
      throw await refusalOf(response);
    }
  }
}

/** Signs in with an `adminKey`, or with `email` and `password`; throws unless it is an operator's. */
export async function signIn({ adminKey, email, password }) {
  credential = undefined;
  const given = adminKey === undefined ? await call("POST /auth/login", { email, password }) : {};
  credential = adminKey === undefined ? given : { adminKey };
  try {
    await call("GET /operator/users", { limit: 1 });
  } catch (error) {
    await signOut();
    // To others the operations do not exist.
    if (error.status !== 404) throw error;
    throw new Refusal(404, `${email} is not an operator's account.`);
  }
}

/** Forgets what proves the operator, and ends the session. */
export async function signOut() {
  const { refreshToken } = credential ?? {};
  credential = undefined;
  if (refreshToken === undefined) return;
  // The access token may have expired.
  const as = await exchange(refreshToken).catch(() => undefined);
  if (as !== undefined) await send("POST /auth/logout", {}, { as }).catch(() => undefined);
}

/** Whether the service takes calls, as `/readyz` says. */
export async function readiness(signal) {
  const response = await fetch("readyz", { signal, cache: "no-store" });
  return response.ok ? response.json() : Promise.reject(await refusalOf(response));
}
