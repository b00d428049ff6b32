import { extract } from "tar-stream";
import type { App } from "../../support/app.ts";

/** The bytes of an export, as the owner of a token gets them. */
export async function fetched(app: App, token: string, path: string, init: RequestInit = {}) {
  const request = new Request(`http://service/api/v1${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${token}` },
  });
  const response = await app.fetch(request);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
}

/** The document of a workspace. */
export async function exported(app: App, token: string, workspace: string) {
  const { status, text } = await fetched(app, token, `/workspaces/${workspace}/export`);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

/** The entries of a tar archive, in their order. */
export async function entriesOf(archive: Uint8Array): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>();
  const reading = extract();
  reading.end(archive);
  for await (const entry of reading) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.set(entry.header.name, Buffer.concat(chunks));
  }
  return entries;
}
