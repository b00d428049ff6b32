import { hkdfSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { jwtVerify } from "jose";
import { boardGet } from "./board.ts";
import { cardCreate, cardMove } from "./cards.ts";
import { openPool } from "./database.ts";
import { cardGet, health, workspaceList } from "./reads.ts";

// The floor of the benchmark: the least that a server must do. It verifies the same tokens, reads the
// same database with its own statements and answers the same bodies. It has no validation, no limits,
// no logs, no ETag, no request ids and no idempotency.
const [, , , databaseUrl = "", secret = ""] = process.argv;
const issuer = "workspace-board-service";
const key = await crypto.subtle.importKey(
  "raw",
  Buffer.from(hkdfSync("sha256", secret, "", "access tokens", 32)),
  { name: "HMAC", hash: "SHA-256" },
  false,
  ["verify"],
);
const database = openPool(databaseUrl);

async function sessionOf(request: IncomingMessage): Promise<string> {
  const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const options = { algorithms: ["HS256"], issuer, audience: issuer, typ: "at+jwt" };
  const { payload } = await jwtVerify(token, key, options);
  return String(payload["sid"]);
}

async function bodyOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function answer(request: IncomingMessage): Promise<unknown> {
  const [, , , kind, id = ""] = (request.url ?? "").split("/");
  const session = kind === "health" ? "" : await sessionOf(request);
  switch (`${request.method} ${kind}`) {
    case "GET health":
      return health(database);
    case "GET workspaces":
      return workspaceList(database, session);
    case "GET cards":
      return cardGet(database, session, id);
    case "GET boards":
      return boardGet(database, session, id);
    case "POST cards":
      return cardCreate(database, session, await bodyOf(request));
    case "PUT cards":
      return cardMove(database, session, id, await bodyOf(request));
    default:
      throw new Error("The floor has no such route.");
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = Buffer.from(JSON.stringify(await answer(request)));
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Content-Length": body.byteLength,
    });
    response.end(body);
  } catch (error) {
    response.writeHead(500, { "Content-Type": "text/plain" });
    response.end(error instanceof Error ? error.stack : String(error));
  }
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => process.exit(0));
