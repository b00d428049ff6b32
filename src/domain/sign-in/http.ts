import type { CustomFetch } from "openid-client";
import { createThirdPartyClient } from "../../platform/http/third-party.ts";

const limits = { requestMs: 5_000, totalMs: 10_000, bytes: 512 * 1024 };

/** The requests of openid-client, as those to any third party: bounded, and without redirects. */
export const fetchOf =
  (service: string): CustomFetch =>
  async (url, { method, headers, body }) => {
    const send = createThirdPartyClient(service, limits);
    const hasForm = body instanceof URLSearchParams || typeof body === "string";
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const response = await send(url, {
      method: method === "POST" ? "POST" : "GET",
      headers: { ...headers, ...(hasForm ? form : {}) },
      ...(hasForm ? { body: Object.fromEntries(new URLSearchParams(body)) } : {}),
    });
    const kept = new Headers(response.headers);
    // The body is decoded already.
    for (const name of ["content-encoding", "content-length"]) kept.delete(name);
    const hasBody = response.status !== 204 && response.status !== 304;
    return new Response(hasBody ? Buffer.concat(response.chunks) : null, {
      status: response.status,
      headers: kept,
    });
  };
