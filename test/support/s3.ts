import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** An S3 storage on loopback. It verifies every signature. */
export type FakeS3 = {
  /** The value of `STORAGE_URL`. */
  storageUrl: string;
  /** The objects of the bucket, by path. */
  objects: Map<string, Buffer>;
  /** `METHOD /path` of every call so far. */
  calls: string[];
  /** The faults of refused calls. */
  refusals: string[];
  /** Answers all calls with a status, or cuts their connections; `undefined` ends the failure. */
  fail(how: number | "cut" | undefined): void;
  stop(): Promise<void>;
};

const credentials = { key: "AKIDEXAMPLE", secret: "wJalr/XUtn+FEMI" };
const bucket = "boards";
const region = "eu-central-1";

const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Starts the storage, with an empty bucket. */
export async function startS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const calls: string[] = [];
  const refusals: string[] = [];
  let failing: number | "cut" | undefined;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    calls.push(`${request.method} ${url.pathname}`);
    if (failing === "cut") {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const fault = failing === undefined ? faultOf(request, url, body) : undefined;
    if (fault !== undefined) refusals.push(fault);
    const { status, headers, content } =
      failing !== undefined || fault !== undefined
        ? {
            status: failing ?? 403,
            headers: {},
            content: `<Error><Message>${fault}</Message></Error>`,
          }
        : act(objects, request, url.pathname.replace(/^\/[^/]+/, ""), body);
    response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : content);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    storageUrl: `s3://${credentials.key}:${encode(credentials.secret)}@127.0.0.1:${port}/${bucket}?region=${region}&tls=false`,
    objects,
    calls,
    refusals,
    fail: (how) => void (failing = how),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What is wrong with a request's signature (version 4), by the letter of its specification. */
function faultOf({ method, headers }: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const query = url.searchParams;
  const presigned = query.has("X-Amz-Signature");
  const [, inHeader = ""] = /^AWS4-HMAC-SHA256 (.*)$/.exec(headers.authorization ?? "") ?? [];
  const fields = presigned ? query : new URLSearchParams(inHeader.replaceAll(", ", "&"));
  const field = (name: string) => fields.get(presigned ? `X-Amz-${name}` : name) ?? "";
  const date = presigned ? field("Date") : String(headers["x-amz-date"]);
  const signed = field("SignedHeaders").split(";");
  const payload = presigned ? "UNSIGNED-PAYLOAD" : String(headers["x-amz-content-sha256"]);
  if (!signed.includes("host")) return "the host is not signed";
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(body)) return "the payload is another";
  const required = presigned
    ? ["content-length", "content-type"]
    : ["x-amz-content-sha256", "x-amz-date"];
  for (const name of required) if (!signed.includes(name)) return `${name} is not signed`;
  if (presigned && Date.now() > timeOf(date) + Number(field("Expires")) * 1000) return "expired";
  const canonical = [
    method,
    url.pathname,
    [...query]
      .filter(([name]) => name !== "X-Amz-Signature")
      .map((pair) => pair.map(encode).join("="))
      .toSorted()
      .join("&"),
    ...signed.map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    signed.join(";"),
    payload,
  ].join("\n");
  const scope = [date.slice(0, 8), region, "s3", "aws4_request"];
  if (field("Credential") !== [credentials.key, ...scope].join("/")) return "another credential";
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secret}`);
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  return hmac(key, text).toString("hex") === field("Signature")
    ? undefined
    : "the signature does not match";
}

const timeOf = (date: string) =>
  Date.parse(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"));

type Answer = { status: number; headers: Record<string, string>; content: string | Buffer };

const answer = (status: number, content: string | Buffer = "", headers = {}): Answer => ({
  status,
  headers,
  content,
});

function act(
  objects: Map<string, Buffer>,
  { method, headers }: IncomingMessage,
  path: string,
  body: Buffer,
): Answer {
  const missing = answer(404, "<Error><Code>NoSuchKey</Code></Error>");
  if (method === "DELETE") {
    objects.delete(path);
    return answer(204);
  }
  if (method === "PUT") {
    const source = headers["x-amz-copy-source"];
    if (source === undefined && headers["content-length"] === undefined) return answer(411);
    const bytes =
      source === undefined ? body : objects.get(String(source).replace(`/${bucket}`, ""));
    if (bytes === undefined) return missing;
    objects.set(path, bytes);
    return answer(200, source === undefined ? "" : "<CopyObjectResult/>");
  }
  if (path === "") return answer(200);
  const object = objects.get(path);
  if (object === undefined) return missing;
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const part = start === undefined ? object : object.subarray(Number(start), Number(end) + 1);
  const length = { "content-length": String(part.byteLength) };
  return answer(start === undefined ? 200 : 206, part, length);
}
