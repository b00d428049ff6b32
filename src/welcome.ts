/** What `npm start` prints: where everything is, and on an empty database three commands that lead to a first card. */
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

/** Three lines for a POSIX shell with curl; each takes what it needs from the one before. */
export function firstSteps(api: string): string {
  const json = `-H 'Content-Type: application/json'`;
  const field = (name: string) => `sed -E 's/.*"${name}":"([^"]+)".*/\\1/'`;
  const first = (name: string) => `sed -E 's/^[^}]*"${name}":"([^"]+)".*/\\1/'`;
  const auth = `-H "Authorization: Bearer $TOKEN"`;
  return [
    `TOKEN=$(curl -s ${json} -d '{"email":"me@example.com","password":"correct horse battery","name":"Me"}' ${api}/auth/register | ${field("accessToken")})`,
    `WORKSPACE=$(curl -s ${json} ${auth} -d '{"name":"Home"}' ${api}/workspaces | ${first("publicId")}); LIST=$(curl -s ${json} ${auth} -d '{"name":"Garden","lists":["To do","Done"]}' ${api}/workspaces/$WORKSPACE/boards | sed -E 's/.*"lists":\\[\\{"publicId":"([^"]+)".*/\\1/')`,
    `curl -s ${json} ${auth} -d "{\\"title\\":\\"Plant the apple tree\\",\\"listPublicId\\":\\"$LIST\\"}" ${api}/cards`,
  ].join("\n");
}
