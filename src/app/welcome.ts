/** What `npm start` prints: where everything is, and on an empty database three lines that lead to a first card. */
export function welcome(url: string, isNew: boolean): string {
  const api = `${url}/api/v1`;
  const places = `
Workspace Board Service
  REST      ${api}
  tRPC      ${url}/trpc
  Docs      ${url}/docs
  Document  ${api}/openapi.json
`;
  return isNew ? `${places}\nFrom nothing to a card on a board:\n\n${firstSteps(api)}\n` : places;
}

const field = (name: string) => String.raw`sed 's/.*"${name}":"\([^"]*\).*/\1/'`;
const bearer = `-H "Authorization: Bearer $TOKEN"`;

/** Three lines for a POSIX shell with curl; each takes what it needs from the one before. */
const firstSteps = (api: string) =>
  [
    `export TOKEN=$(curl -s ${api}/auth/register --json '{"email":"me@example.com","password":"correct horse battery","name":"Me"}' | ${field("accessToken")})`,
    `export WORKSPACE=$(curl -s ${api}/workspaces ${bearer} --json '{"name":"Home"}' | ${field("publicId")}); LIST=$(curl -s ${api}/workspaces/$WORKSPACE/boards ${bearer} --json '{"name":"Garden","lists":["To do"]}' | ${field("publicId")})`,
    String.raw`curl -s ${api}/cards ${bearer} --json "{\"title\":\"Plant the apple tree\",\"listPublicId\":\"$LIST\"}"`,
  ].join("\n");
