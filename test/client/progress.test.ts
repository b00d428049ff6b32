import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The XMLHttpRequest of a browser, which answers 204. */
class Xhr {
  static sent: Xhr[] = [];
  readonly upload = new EventTarget();
  readonly #events = new EventTarget();
  readonly response = null;
  readonly status = 204;
  withCredentials = false;
  responseType = "";
  open() {}
  setRequestHeader() {}
  abort() {}
  getAllResponseHeaders = () => "";
  addEventListener = this.#events.addEventListener.bind(this.#events);
  send() {
    Xhr.sent.push(this);
    this.#events.dispatchEvent(new Event("load"));
  }
}

/** The `fetch` of a page whose browser has XMLHttpRequest. */
async function pageFetch(withCookies: boolean) {
  Xhr.sent = [];
  vi.resetModules();
  vi.stubGlobal("XMLHttpRequest", Xhr);
  const { browserFetch } = await import("../../src/client/progress.ts");
  return browserFetch(withCookies);
}

const upload = (more: RequestInit = {}) => {
  const init = { method: "POST", body: new Blob(["hello"]), onProgress: () => undefined };
  return { ...init, ...more };
};

test.each([true, false])("uploads send the cookies of the page as other calls: %s", async (has) => {
  const fetch = await pageFetch(has);
  await fetch("http://boards.test/file", upload());
  expect(Xhr.sent.map(({ withCredentials }) => withCredentials)).toEqual([has]);
});

test("an upload whose signal is aborted is not sent", async () => {
  const fetch = await pageFetch(false);
  const reason = new Error("The page is left.");
  const signal = AbortSignal.abort(reason);
  await expect(fetch("http://boards.test/file", upload({ signal }))).rejects.toBe(reason);
  expect(Xhr.sent).toEqual([]);
});
