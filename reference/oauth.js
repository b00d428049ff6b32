// The page that asks a person whether an app may act for them. docs/agents.md describes it. Texts of
// apps are shown as text, never as HTML.
import { element } from "./elements.js";
import { all, call, canUsePasskeys, confirm, signIn, signOut } from "./oauth-api.js";

const content = document.querySelector("main");
const request = location.search.slice(1);
/** Whether this is the page where a person enters the code of a program without a browser. */
const isDevice = location.pathname.endsWith("/device");

const line = element("p", { role: "status", class: "status" });
const say = (text, isError = false) => {
  line.textContent = text;
  line.classList.toggle("error", isError);
};

/** Shows a title with what is below it, and moves the focus there. */
function show(title, ...parts) {
  const heading = element("h1", { tabindex: -1 }, title);
  say("");
  content.replaceChildren(heading, ...parts, line);
  heading.focus();
}

const labelled = (label, input) => element("label", {}, element("span", {}, label), input);
const choice = (value, label, state) =>
  element(
    "label",
    { class: "choice" },
    element("input", { type: "radio", name: "reach", value, required: true, ...state }),
    ` ${label}`,
  );

/** Runs what a form does, once at a time, and says why it failed. */
function submitting(doing, run) {
  return async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    say(doing);
    try {
      await run(form, event.submitter);
    } catch (error) {
      say(error.message, true);
    } finally {
      form.ariaBusy = "false";
    }
  };
}

const goOn = (user) => (isDevice ? showCode(user) : ask(user));

/** Asks for the second factor of the account: a code, or a passkey of this browser. */
function showSecondFactor(challenge) {
  const code = element("input", {
    name: "code",
    autocomplete: "one-time-code",
    spellcheck: "false",
    maxlength: 40,
    required: "",
  });
  const hasPasskey = challenge.passkey !== null && canUsePasskeys();
  const submit = submitting("Signing in …", async (form, button) => {
    const isPasskey = button?.value === "passkey";
    await goOn(await confirm(challenge, isPasskey ? undefined : code.value));
  });
  show(
    "Confirm that it is you",
    element("p", {}, "Your account has a second factor."),
    element(
      "form",
      { submit },
      labelled("Code of your app, or a recovery code", code),
      element("button", { type: "submit", value: "code" }, "Confirm"),
      hasPasskey
        ? element(
            "button",
            { type: "submit", value: "passkey", formnovalidate: true },
            "Use a passkey",
          )
        : undefined,
    ),
  );
}

function showSignIn() {
  const submit = submitting("Signing in …", async (form) => {
    const credentials = Object.fromEntries(new FormData(form));
    const user = await signIn(credentials).catch((error) => {
      if (error.secondFactor === undefined) throw error;
      showSecondFactor(error.secondFactor);
    });
    if (user !== undefined) await goOn(user);
  });
  const why = isDevice
    ? "A program shows a code and wants to act for you on your boards. Sign in to enter the code."
    : "An app wants to act for you on your boards. Sign in to see which one.";
  show(
    "Connect an app",
    element("p", {}, why),
    element(
      "form",
      { submit },
      labelled(
        "Email",
        element("input", { name: "email", type: "email", autocomplete: "username", required: "" }),
      ),
      labelled(
        "Password",
        element("input", {
          name: "password",
          type: "password",
          autocomplete: "current-password",
          required: "",
        }),
      ),
      element("button", { type: "submit" }, "Sign in"),
    ),
    element("p", { class: "quiet" }, `You are signing in at ${location.host}.`),
  );
}

const warning =
  "Enter only a code that you see in a program that you have just started yourself. Never enter a code that somebody has sent you or reads to you: it gives them access to your boards.";

/** Asks for the code of a program. A code in the address is filled in, and the person still reads on. */
function showCode(user) {
  const code = element("input", {
    name: "code",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "XXXX-XXXX",
    maxlength: 40,
    required: "",
    value: new URLSearchParams(request).get("user_code") ?? "",
  });
  const submit = submitting("Looking …", () => askForDevice(user, code.value));
  show(
    "Enter the code",
    element("p", { class: "warning" }, warning),
    element(
      "form",
      { submit },
      labelled("Code", code),
      element("button", { type: "submit" }, "Continue"),
    ),
  );
}

/** Reads which program shows a code, and asks the person. */
async function askForDevice(user, userCode) {
  const asked = await call("POST /oauth/device/describe", { userCode });
  await question(user, asked, async (decision) => {
    await call("POST /oauth/device/decide", { userCode, ...decision });
    await signOut();
    const done = decision.allow ? "The program is connected." : "The program was refused.";
    show("Done", element("p", {}, `${done} You can close this page.`));
  });
}

/** Leaves for the app. The session of this page has done its work. */
async function leave(redirectTo) {
  await signOut();
  show("Done", element("p", {}, "Your browser returns to the app. You can close this page."));
  location.assign(redirectTo);
}

/** Reads what the app asks for, and asks the person. */
async function ask(user) {
  const asked = await call("POST /oauth/describe", { request });
  if (asked.redirectTo !== null) {
    await leave(asked.redirectTo);
    return;
  }
  await question(user, asked, async (decision) => {
    const { redirectTo } = await call("POST /oauth/decide", { request, ...decision });
    await leave(redirectTo);
  });
}

/** Asks with the workspaces in which the app is not forbidden; `answer` gets what the person decides. */
async function question(user, asked, answer) {
  const entries = await call("GET /workspaces");
  const workspaces = entries
    .map(({ workspace }) => workspace)
    .filter(({ publicId }) => !asked.forbiddenIn.includes(publicId));
  showQuestion(user, { ...asked, answer }, workspaces);
}

/** Who asks, who vouches for that, and where the browser returns. */
function explanation(user, { app, returnsTo, startedAt, mayWrite, resource }) {
  const isVouched = app.vouchedBy !== null && !isDevice;
  const who = isDevice
    ? `A program that calls itself “${app.name}” asked for this code at ${new Date(startedAt).toLocaleTimeString()}. Nobody can tell on which computer it runs. ${warning}`
    : app.vouchedBy === null
      ? `Nobody vouches for the name “${app.name}”: the app chose it itself. Continue only if you have just started this yourself.`
      : `${app.vouchedBy} vouches for the name “${app.name}”.`;
  const can = mayWrite ? "read and change" : "read, but not change,";
  const what =
    resource.endsWith("/mcp") || resource.endsWith("/readonly")
      ? "with the tools for agents"
      : "through the API";
  return [
    element(
      "p",
      {},
      `“${app.name}” wants to ${can} what you choose below, ${what}. It acts for you, ${user.name} (${user.email}).`,
    ),
    element("p", { class: isVouched ? "" : "warning" }, who),
    ...(isDevice ? [] : [element("p", {}, `If you agree, your browser returns to ${returnsTo}.`)]),
  ];
}

const days = {
  "": "until I disconnect it, or it is not used for 30 days",
  1: "1 day",
  7: "7 days",
  30: "30 days",
  90: "90 days",
};
const dayMs = 24 * 60 * 60 * 1000;

/** Where the app may act: one board, one workspace or everything; the fields follow the choice. */
function reachFields(asked, workspaces) {
  const isForbidden = asked.forbiddenIn.length > 0;
  const none = workspaces.length === 0;
  const workspace = element(
    "select",
    { name: "workspace", "aria-label": "Workspace" },
    ...workspaces.map(({ publicId, name }) => element("option", { value: publicId }, name)),
  );
  const board = element("select", { name: "board", "aria-label": "Board" });
  const password = element("input", {
    name: "password",
    type: "password",
    autocomplete: "current-password",
  });
  const fields = element(
    "fieldset",
    {},
    element("legend", {}, "What it may use"),
    choice("board", "One board", { disabled: none }),
    choice("workspace", "One workspace", { checked: !none, disabled: none }),
    choice("everything", "Everything that I can use", {
      checked: none && !isForbidden,
      disabled: isForbidden,
    }),
    labelled("Workspace", workspace),
    labelled("Board", board),
    labelled("Your password again, because you allow everything", password),
    isForbidden
      ? element("p", { class: "quiet" }, "A workspace of yours forbids this app everything.")
      : undefined,
  );
  const labelOf = (input) => input.closest("label");
  const update = async () => {
    const reach = fields.querySelector("input:checked")?.value;
    labelOf(workspace).hidden = reach === "everything";
    labelOf(board).hidden = reach !== "board";
    labelOf(password).hidden = reach !== "everything" || !asked.needsPassword;
    password.required = !labelOf(password).hidden;
    if (reach !== "board") return;
    const boards = await all(`/workspaces/${workspace.value}/boards`);
    board.replaceChildren(
      ...boards.map(({ publicId, name }) => element("option", { value: publicId }, name)),
    );
  };
  const follow = () => update().catch((error) => say(error.message, true));
  fields.addEventListener("change", ({ target }) => {
    if (target !== board && target !== password) void follow();
  });
  void follow();
  return fields;
}

function showQuestion(user, asked, workspaces) {
  const lasting = Object.entries(days).map(([value, text]) =>
    element("option", { value, selected: value === "" }, text),
  );
  const submit = submitting("Deciding …", (form, button) =>
    asked.answer(decisionOf(form, button?.value !== "deny")),
  );
  const form = element(
    "form",
    { submit },
    reachFields(asked, workspaces),
    asked.mayWrite
      ? element(
          "label",
          { class: "choice" },
          element("input", { type: "checkbox", name: "readOnly" }),
          " It may only read",
        )
      : element("p", {}, "It may only read."),
    labelled("For how long", element("select", { name: "days" }, ...lasting)),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "submit", value: "allow" }, "Connect"),
      element("button", { type: "submit", value: "deny", formnovalidate: true }, "Refuse"),
    ),
  );
  const note =
    "It never may do more than you. You find it among your API keys, and can disconnect it at any time.";
  show(
    `Connect “${asked.app.name}”?`,
    ...explanation(user, asked),
    form,
    element("p", { class: "quiet" }, note),
  );
}

/** What the person has chosen. */
function decisionOf(form, allow) {
  if (!allow) return { allow };
  const given = Object.fromEntries(new FormData(form));
  return {
    allow,
    ...(given.reach === "workspace" ? { workspacePublicId: given.workspace } : {}),
    ...(given.reach === "board" ? { boardPublicId: given.board ?? "" } : {}),
    readOnly: given.readOnly === "on",
    ...(given.days ? { expiresAt: new Date(Date.now() + given.days * dayMs).toISOString() } : {}),
    ...(given.reach === "everything" && given.password ? { password: given.password } : {}),
  };
}

showSignIn();
