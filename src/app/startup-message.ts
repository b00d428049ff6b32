import { addressesOf } from "../api/addresses.ts";

/** What the startup message shows in addition to the URLs. */
type Shown = {
  /** Whether the database is empty. */
  isNew: boolean;
  /** Whether the demo page is served. */
  hasDemo: boolean;
};

/** The startup message: the URLs, and on an empty database three commands to a first card. */
export function startupMessage(url: string, { isNew, hasDemo }: Shown): string {
  const lines = addressesOf(url, hasDemo).map(
    ([name, address]) => `  ${name.padEnd(10)}${address}\n`,
  );
  const urls = `\nWorkspace Board Service\n${lines.join("")}`;
  const title = "Create an account, a workspace, a board and a card:";
  return isNew ? `${urls}\n${title}\n\n${firstSteps(`${url}/api/v1`)}\n` : urls;
}

/** The address of the demo that offers an account. A fragment never leaves the browser. */
export const demoUrl = (url: string, account: { email: string; password: string }): string => {
  const { email, password } = account;
  return `${url}/demo#/sign-in?${new URLSearchParams({ email, password }).toString()}`;
};

const field = (name: string) => String.raw`sed 's/.*"${name}":"\([^"]*\).*/\1/'`;
const bearer = `-H "Authorization: Bearer $TOKEN"`;

const account = '{"email":"me@example.com","password":"correct horse battery","name":"Me"}';
const card = String.raw`{\"title\":\"Plant the apple tree\",\"listPublicId\":\"$LIST\"}`;

/** Three commands for a POSIX shell with curl. Each uses the result of the one before. */
const firstSteps = (api: string) =>
  [
    `export TOKEN=$(curl -s ${api}/auth/register --json '${account}' | ${field("accessToken")})`,
    `export WORKSPACE=$(curl -s ${api}/workspaces ${bearer} --json '{"name":"Home"}'` +
      ` | ${field("publicId")}); LIST=$(curl -s ${api}/workspaces/$WORKSPACE/boards ${bearer}` +
      ` --json '{"name":"Garden","lists":["To do"]}' | ${field("publicId")})`,
    `curl -s ${api}/cards ${bearer} --json "${card}"`,
  ].join("\n");
