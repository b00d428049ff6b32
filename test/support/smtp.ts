import { createServer, type Socket } from "node:net";

/** A received mail: envelope, headers by lower-case name, both bodies decoded. */
export type Received = {
  from: string;
  to: string[];
  headers: Record<string, string[]>;
  text: string;
  html: string;
  raw: string;
};

/** A small mail server. */
export type Smtp = {
  url: string;
  mails: Received[];
  /** Refuses the next mails with these codes. */
  refuse(...codes: number[]): void;
  /** Receives the next mail and never answers; resolves when it has arrived. */
  stall(): Promise<void>;
  /** Ends every connection. */
  drop(): void;
  close(): void;
};

/** Starts the server. */
export async function startSmtp(): Promise<Smtp> {
  const mails: Received[] = [];
  const refusals: number[] = [];
  const sockets = new Set<Socket>();
  let stalled: (() => void) | undefined;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    const say = (line: string) => void socket.write(`${line}\r\n`);
    let from = "";
    let to: string[] = [];
    let isData = false;
    let rest = "";
    const takeMail = (raw: string) => {
      if (stalled !== undefined) {
        stalled();
        stalled = undefined;
        return;
      }
      const code = refusals.shift();
      if (code === undefined) mails.push({ from, to, raw, ...parse(raw) });
      say(code === undefined ? "250 accepted" : `${code} not now`);
    };
    const command = (line: string) => {
      const [verb = ""] = line.toUpperCase().split(" ", 1);
      const address = /<([^>]*)>/.exec(line)?.[1] ?? "";
      if (verb === "MAIL") [from, to] = [address, []];
      if (verb === "RCPT") to.push(address);
      isData = verb === "DATA";
      if (verb === "QUIT") socket.end("221 bye\r\n");
      else say(isData ? "354 go on" : "250 ok");
    };
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      rest += chunk;
      for (;;) {
        const mark = isData ? "\r\n.\r\n" : "\r\n";
        const end = rest.indexOf(mark);
        if (end < 0) return;
        const piece = rest.slice(0, end);
        rest = rest.slice(end + mark.length);
        if (!isData) command(piece);
        else {
          isData = false;
          takeMail(piece.replace(/^\.\./gm, "."));
        }
      }
    });
    say("220 stand-in");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (...codes) => void refusals.push(...codes),
    stall: () => new Promise<void>((resolve) => (stalled = resolve)),
    drop,
    close() {
      server.close();
      drop();
    },
  };
}

function parse(raw: string): Pick<Received, "headers" | "text" | "html"> {
  const { headers, body } = split(raw);
  const header = headers["content-type"]?.[0] ?? "";
  const boundary = /boundary="?([^";]+)"?/.exec(header)?.[1];
  if (boundary === undefined) return { headers, text: decoded(headers, body), html: "" };
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, "")));
  const part = (type: string) => {
    const found = parts.find((one) => one.headers["content-type"]?.[0]?.startsWith(type));
    return found === undefined ? "" : decoded(found.headers, found.body);
  };
  return { headers, text: part("text/plain"), html: part("text/html") };
}

function split(raw: string) {
  const end = raw.indexOf("\r\n\r\n");
  const headers: Record<string, string[]> = {};
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers[name] = [...(headers[name] ?? []), words(line.slice(colon + 1).trim())];
  }
  return { headers, body: raw.slice(end + 4).replace(/\r\n$/, "") };
}

/** Decodes `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. */
const words = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString()
        : unquoted(word.replace(/_/g, " ")),
    );

function decoded(headers: Record<string, string[]>, body: string): string {
  const encoding = headers["content-transfer-encoding"]?.[0]?.toLowerCase();
  const text =
    encoding === "base64"
      ? Buffer.from(body, "base64").toString()
      : encoding === "quoted-printable"
        ? unquoted(body.replace(/=\r\n/g, ""))
        : body;
  return text.replace(/\r\n/g, "\n");
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    "latin1",
  ).toString();
