import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { appRouter } from "../../src/app/router/index.ts";
import { routesOf, type Route } from "../../src/api/rest/routes.ts";
import { start } from "../domain/attachments/files.ts";
import type { App } from "../support/app.ts";
import { makeExport } from "../transfer/imports/trello-export.ts";

/** The operations whose body is a file, from the router: a new one is tested too. */
export const takingFiles = [...routesOf(appRouter)].filter(
  ({ options }) => options.requestBody === "bytes",
);

/** A workspace with a card, and the path and a valid body of each operation that takes a file. */
export async function fileScene(app: App) {
  const scene = await start(app);
  const { user, workspace, card } = scene;
  const exported = await user.rest.get(`/workspaces/${workspace.publicId}/export`);
  const bodies: Record<string, { query: string; body: string }> = {
    "attachment.upload": { query: "?filename=a.txt", body: "bytes of a file" },
    "import.trelloFile": {
      query: `?workspacePublicId=${workspace.publicId}`,
      body: JSON.stringify(makeExport({ cards: 1 })),
    },
    "import.csv": {
      query: `?workspacePublicId=${workspace.publicId}&boardName=Cards`,
      body: "title,list\nOne,Doing\n",
    },
    "import.csvPreview": {
      query: `?workspacePublicId=${workspace.publicId}`,
      body: "title,list\nOne,Doing\n",
    },
    "workspace.import": { query: "", body: JSON.stringify(exported.body) },
  };
  /** The path of an operation, and a body that it accepts. */
  const fileOf = ({ operation, path }: Route) => {
    const { query, body } = bodies[operation] ?? {};
    if (body === undefined) throw new Error(`Name a file for ${operation}.`);
    return { path: `/api/v1${path.replace("{cardPublicId}", card)}${query}`, body };
  };
  return { ...scene, user, fileOf };
}

/** A request that is sent piece by piece over a connection of its own. */
export class Sending {
  readonly #socket: Socket;
  #response = "";
  /** The answer, when the service has closed the connection. */
  readonly answered: Promise<{ status: number; body: any }>;

  constructor(port: number, path: string, headers: Record<string, string>) {
    const lines = Object.entries({ Host: "service", Connection: "close", ...headers });
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("error", () => undefined);
    this.#socket.on("data", (bytes: Buffer) => (this.#response += bytes.toString()));
    this.answered = once(this.#socket, "close").then(() => {
      const [head = "", body = ""] = this.#response.split("\r\n\r\n");
      const json = body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1);
      return { status: Number(head.slice(9, 12)), body: JSON.parse(json) };
    });
    const head = lines.map(([name, value]) => `${name}: ${value}`);
    this.#socket.write([`POST ${path} HTTP/1.1`, ...head, "", ""].join("\r\n"));
  }

  /** Sends bytes of a body without a length. */
  send(text: string): void {
    if (text !== "") this.#socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  }

  /** Sends a byte now and then, until the service has answered. */
  async trickle(text: string): Promise<{ status: number; body: any }> {
    const timer = setInterval(() => this.send(text), 50);
    return this.answered.finally(() => clearInterval(timer));
  }

  /** Sends the rest of a body without a length, and its end. */
  finish(rest: string): Promise<{ status: number; body: any }> {
    this.send(rest);
    this.#socket.write("0\r\n\r\n");
    return this.answered;
  }
}

/** The headers of a body without a length. */
export const chunked = (token: string, address?: string) => ({
  Authorization: `Bearer ${token}`,
  "Transfer-Encoding": "chunked",
  ...(address === undefined ? {} : { "X-Forwarded-For": address }),
});
