import { codeBlock, element, folded } from "./elements.js";
import { ownIds, withOwnIds } from "./own-ids.js";
import { oneOfMany } from "./samples.js";

// The token is stored only with `?remember`, for the machine of a developer.
const remember = new URLSearchParams(location.search).has("remember");
const storage = "reference-token";
let token = remember ? (localStorage.getItem(storage) ?? "") : "";

const labelled = (name, input) => element("label", {}, element("span", {}, name), input);

/** Fields that sign in with an address and a password, and pass the token on. */
function signIn(root, signedIn) {
  const email = element("input", { name: "email", type: "email", autocomplete: "username" });
  const password = element("input", {
    name: "password",
    type: "password",
    autocomplete: "current-password",
  });
  const said = element("p", { class: "meta", "aria-live": "polite" });
  const enter = async () => {
    const body = JSON.stringify({ email: email.value, password: password.value });
    const headers = { "Content-Type": "application/json" };
    try {
      const response = await fetch(`${root}/auth/login`, { method: "POST", headers, body });
      const answer = await response.json();
      said.textContent = response.ok
        ? "Signed in."
        : (answer.issues?.[0]?.message ?? answer.message);
      if (!response.ok) return;
      password.value = "";
      signedIn(answer.accessToken);
    } catch (error) {
      said.textContent = `The request failed: ${error.message}`;
    }
  };
  // Enter would send the operation.
  const keydown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void enter();
  };
  return element(
    "div",
    { class: "try", keydown },
    labelled("Email address", email),
    labelled("Password", password),
    element("button", { type: "button", class: "sign-in", click: () => void enter() }, "Sign in"),
    said,
  );
}

/** The field of a token or a key, and a sign-in that fills in the token. */
function credentialFields({ needsToken, needsKey }, secret, fill, root) {
  const setToken = (accessToken) => {
    secret.value = accessToken;
    void fill();
  };
  return [
    needsToken || needsKey ? labelled(needsKey ? "Admin key" : "Token", secret) : undefined,
    needsToken ? folded("Sign in with a password", () => signIn(root, setToken)) : undefined,
  ];
}

/** A form that sends an operation to this service and shows the response. */
export function tryForm({ method, path, operation }, document, root) {
  const parameters = operation.parameters
    .map((one) => document.resolve(one))
    .filter((one) => one.in === "path" || one.in === "query");
  const inputs = parameters.map((one) => [
    one,
    element("input", { name: one.name, required: one.in === "path", autocomplete: "off" }),
  ]);
  const media = operation.requestBody?.content["application/json"];
  const example = oneOfMany(method, media, document);
  const body = element("textarea", { name: "body", rows: "8", spellcheck: "false" });
  if (example !== undefined) body.defaultValue = JSON.stringify(example, null, 2);
  const fill = async () => {
    token = secret.value;
    const isUntouched = body.value === body.defaultValue;
    const find = ownIds((url) => readOwn(`${root}${url}`));
    for (const [{ name, required }, input] of inputs) {
      if (required && input.value === "") input.value = (await find(name)) ?? "";
    }
    if (example === undefined || !isUntouched) return;
    const text = JSON.stringify(await withOwnIds(example, find), null, 2);
    if (body.value === body.defaultValue) body.value = text;
  };
  const secret = element("input", {
    name: "token",
    type: "password",
    autocomplete: "off",
    change: () => void (needsToken && fill()),
  });
  secret.value = token;
  const answer = element("div", { class: "answer", "aria-live": "polite" });
  const needsKey = operation.security.some((one) => "adminKey" in one);
  const needsToken = operation.security.some((one) => "bearer" in one);
  async function send(event) {
    event.preventDefault();
    token = secret.value;
    if (remember) localStorage.setItem(storage, token);
    const headers = {
      ...(needsToken && token !== "" ? { Authorization: `Bearer ${token}` } : {}),
      ...(needsKey && token !== "" ? { "X-Admin-Key": token } : {}),
      ...(example === undefined ? {} : { "Content-Type": "application/json" }),
    };
    const options = { method, headers, ...(example === undefined ? {} : { body: body.value }) };
    answer.replaceChildren(...(await answerTo(`${root}${filledIn(path, inputs)}`, options)));
  }
  if (needsToken && token !== "") void fill();
  return element(
    "form",
    { class: "try", submit: send },
    ...credentialFields({ needsToken, needsKey }, secret, fill, root),
    needsToken && (inputs.length > 0 || example !== undefined)
      ? element("p", { class: "meta" }, "With a token, the ids are filled in from your own data.")
      : undefined,
    ...inputs.map(([{ name }, input]) => labelled(name, input)),
    example === undefined ? undefined : labelled("Body", body),
    element("button", { type: "submit", class: "send" }, "Send"),
    answer,
  );
}

/** A path with its parameters and its query. */
function filledIn(path, inputs) {
  const query = new URLSearchParams();
  let filled = path;
  for (const [{ name, in: at }, { value }] of inputs) {
    if (at === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** Sends a request and shows the response with the time that it took. */
async function answerTo(url, options) {
  const started = performance.now();
  try {
    const response = await fetch(url, options);
    const text = await response.text();
    const ms = Math.round(performance.now() - started);
    const status = `${response.status} ${response.statusText}, ${ms} ms`;
    return [element("p", {}, status), codeBlock(pretty(text))];
  } catch (error) {
    return [element("p", {}, `The request failed: ${error.message}`)];
  }
}

/** The answer of an operation that reads the caller's data; undefined if it fails. */
async function readOwn(url) {
  try {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
