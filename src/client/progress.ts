import type { Fetch } from "./transport.ts";

/** Reports the bytes of a body as they are sent. */
export type OnProgress = (sent: number, size: number) => void;

// The part of XMLHttpRequest that is used here; Node.js lacks it.
type Xhr = {
  upload: {
    addEventListener(
      type: "progress",
      listener: (event: { loaded: number; total: number }) => void,
    ): void;
  };
  addEventListener(type: "load" | "error", listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
  getAllResponseHeaders(): string;
  responseType: string;
  withCredentials: boolean;
  response: ArrayBuffer;
  status: number;
};
const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr };

/** `fetch`, with the progress of uploads. Browsers report it by XMLHttpRequest only. */
export function browserFetch(withCookies: boolean): Fetch {
  const credentials = withCookies ? ({ credentials: "include" } as const) : {};
  return (url, init = {}) => {
    const { onProgress, ...rest } = init as RequestInit & { onProgress?: OnProgress };
    if (onProgress === undefined || !(rest.body instanceof Blob)) {
      return fetch(url, { ...credentials, ...rest });
    }
    if (XMLHttpRequest !== undefined) {
      return sendByXhr(url, { ...credentials, ...rest }, rest.body, onProgress);
    }
    return fetch(url, { ...rest, ...counted(rest.body, onProgress) });
  };
}

function counted(file: Blob, onProgress: OnProgress) {
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sentBytes += chunk.byteLength;
      controller.enqueue(chunk);
      onProgress(sentBytes, file.size);
    },
  });
  // Node.js sends a stream only as half duplex.
  return { body: file.stream().pipeThrough(counter), duplex: "half" as const };
}

function sendByXhr(url: string, init: RequestInit, file: Blob, onProgress: OnProgress) {
  return new Promise<Response>((resolve, reject) => {
    if (XMLHttpRequest === undefined) return;
    if (init.signal?.aborted === true) return reject(init.signal.reason as Error);
    const request = new XMLHttpRequest();
    request.open(init.method ?? "POST", url);
    request.responseType = "arraybuffer";
    request.withCredentials = init.credentials === "include";
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener("load", () => {
      const headers = new Headers();
      for (const line of request.getAllResponseHeaders().trim().split("\r\n")) {
        const [, name, value] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
        if (name !== undefined && value !== undefined) headers.append(name, value);
      }
      resolve(new Response(request.response, { status: request.status, headers }));
    });
    request.addEventListener("error", () => reject(new TypeError("The upload failed.")));
    init.signal?.addEventListener("abort", () => {
      request.abort();
      reject(init.signal?.reason as Error);
    });
    request.send(file);
  });
}
