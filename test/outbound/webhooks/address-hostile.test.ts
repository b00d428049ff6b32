import { describe, expect, test } from "vitest";
import { checkDestination, systemResolve } from "../../../src/platform/http/address-guard.ts";
import { sendRequest } from "../../../src/outbound/webhooks/message/request.ts";
import { makeSecret } from "../../../src/outbound/webhooks/message/sign.ts";
import { fakeDns } from "../../support/dns.ts";
import { hostileResponses, hostileLiterals, hostileNames, useCanary } from "./hostile.ts";

const open = { allowHttp: true, allowedSubnets: [] };

const canary = useCanary();

const deps = (resolve: typeof systemResolve) => ({
  policy: open,
  resolve,
  now: () => new Date(),
  version: "1.2.3",
});
const delivery = (url: string) => ({ url, secrets: [makeSecret()], id: "msg_1", body: "{}" });

describe("a hostile address is refused when it is checked and when it is attempted", () => {
  const refusedTwice = async (url: string, resolve: typeof systemResolve) => {
    const checked = await checkDestination(url, open, resolve);
    expect(checked).toHaveProperty("refusal", expect.stringMatching(/not (public|valid)\.$/));
    const result = await sendRequest(delivery(url), deps(resolve));
    expect(result).toMatchObject({ ok: false, error: "refusal" in checked && checked.refusal });
    expect(result).not.toHaveProperty("statusCode");
    expect(canary.connections()).toBe(0);
  };

  test.each(hostileLiterals)("%s", async (host) => {
    const dns = fakeDns();
    await refusedTwice(`http://${host}:${canary.port()}/hook`, dns.resolve);
    await refusedTwice(`https://${host}:${canary.port()}/hook`, dns.resolve);
    expect(dns.asked).toEqual([]);
  });

  test.each(hostileResponses)("a name that resolves to %s", async (_case, addresses) => {
    const { resolve } = fakeDns({ "hooks.test": addresses });
    await refusedTwice(`http://hooks.test:${canary.port()}/`, resolve);
    await refusedTwice(`https://hooks.test:${canary.port()}/`, resolve);
  });

  test.each(hostileNames)("the system's name %s", async (host) => {
    await refusedTwice(`http://${host}:${canary.port()}/`, systemResolve);
  });

  test("a private name with a trailing dot", async () => {
    const { resolve } = fakeDns({ "hooks.test.": ["127.0.0.1"] });
    await refusedTwice(`http://hooks.test.:${canary.port()}/`, resolve);
  });

  test("is the canary: it is reachable when allowed", async () => {
    const policy = { allowHttp: true, allowedSubnets: ["127.0.0.0/8"] };
    await sendRequest(delivery(`http://127.0.0.1:${canary.port()}/`), {
      ...deps(systemResolve),
      policy,
    });
    expect(canary.connections()).toBe(1);
  });
});
