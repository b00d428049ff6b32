import { describe, expect, test } from "vitest";
import { checkDestination, isSubnet } from "../../../src/platform/http/address-guard.ts";
import { fakeDns } from "../../support/dns.ts";

const open = { allowHttp: true, allowedSubnets: [] };
const strict = { allowHttp: false, allowedSubnets: [] };
const publicV4 = "93.184.215.14";
const publicV6 = "2606:2800:21f:cb07:6820:80da:af6b:8b2c";

test.each([
  ["file:///etc/passwd", /https/],
  ["ftp://hooks.test/", /https/],
  ["gopher://127.0.0.1:6379/_x", /https/],
  ["javascript:alert(1)", /https/],
  ["data:text/plain,x", /https/],
  ["ws://hooks.test/", /https/],
  ["blob:https://hooks.test/x", /https/],
  ["http+unix://%2Fvar%2Frun%2Fdocker.sock/", /https/],
  ["https://user@hooks.test/", /user name/],
  ["https://user:secret@hooks.test/", /user name/],
  ["https://:secret@hooks.test/", /user name/],
  ["https://hooks.test@127.0.0.1/", /user name/],
  ["https://127.0.0.1\\@hooks.test/", /not public/],
  ["https://127.0.0.1#@hooks.test/", /not public/],
  ["https:127.0.0.1", /not public/],
  ["\thttps://127.0.0.1\n", /not public/],
  ["https://127.0.\t0.1/", /not public/],
  ["//hooks.test/", /URL is not valid/],
  ["hooks.test", /URL is not valid/],
  ["", /URL is not valid/],
  ["https://", /URL is not valid/],
  ["https://[fe80::1%25lo]/", /URL is not valid/],
  ["https://[::1/", /URL is not valid/],
  ["https://256.256.256.256/", /URL is not valid/],
  ["https://1.2.3.4.5/", /URL is not valid/],
  ["https://hooks.test:99999/", /URL is not valid/],
  ["https://hooks test/", /URL is not valid/],
  ["https://hooks.test%00.evil/", /URL is not valid/],
])("refuses %j", async (url, why) => {
  const { resolve } = fakeDns({ "hooks.test": [publicV4] });
  expect(await checkDestination(url, open, resolve)).toHaveProperty(
    "refusal",
    expect.stringMatching(why),
  );
});

test("refuses http unless it is allowed", async () => {
  const { resolve } = fakeDns({ "hooks.test": [publicV4] });
  const url = "http://hooks.test/";
  expect(await checkDestination(url, strict, resolve)).toHaveProperty("refusal");
  expect(await checkDestination(url, open, resolve)).toHaveProperty("addresses", [publicV4]);
});

test("in development a refusal names the settings that allow the destination", async () => {
  const { resolve } = fakeDns({ "hooks.test": [publicV4], localhost: ["127.0.0.1"] });
  const why = async (url: string, policy = { ...strict, namesSettings: true }) => {
    const checked = await checkDestination(url, policy, resolve);
    return "refusal" in checked ? checked.refusal : "";
  };
  for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]", "192.168.1.2"]) {
    expect(await why(`http://${host}/`)).toMatch(
      /set WEBHOOK_ALLOW_HTTP=true, and WEBHOOK_ALLOWED_SUBNETS to its subnet/,
    );
    expect(await why(`https://${host}/`)).toMatch(/not public\. .*set WEBHOOK_ALLOWED_SUBNETS/);
    expect(await why(`http://${host}/`, { ...strict, namesSettings: false })).not.toContain("set");
  }
  expect(await why("http://hooks.test/")).toMatch(/set WEBHOOK_ALLOW_HTTP=true\.$/);
});

test("does not reveal the address of an internal name", async () => {
  const { resolve } = fakeDns({ "db.internal": ["10.1.2.3"] });
  expect(await checkDestination("https://db.internal/", strict, resolve)).toEqual({
    refusal: "The host db.internal is not allowed: its address is not public.",
  });
});

test.each([
  ["https://hooks.test/", "hooks.test", [publicV4, publicV6], [publicV4, publicV6]],
  ["https://hooks.test./", "hooks.test.", [publicV4], [publicV4]],
  ["https://żółw.test/", "xn--w-uga1v8h.test", [publicV4], [publicV4]],
  ["https://hooks.test/", "hooks.test", [`::ffff:${publicV4}`, publicV4], [publicV4]],
  ["https://hooks.test/", "hooks.test", ["64:ff9b::808:808"], ["64:ff9b::808:808"]],
])("returns the addresses of %s after one lookup", async (url, name, found, given) => {
  const dns = fakeDns({ [name]: found });
  expect(await checkDestination(url, strict, dns.resolve)).toHaveProperty("addresses", given);
  expect(dns.asked).toEqual([name]);
});

test.each([
  ["https://8.8.8.8/", "8.8.8.8"],
  ["https://134744072/", "8.8.8.8"],
  [`https://[${publicV6}]/`, publicV6],
  ["https://[::ffff:8.8.8.8]/", "8.8.8.8"],
])("accepts the public literal %s", async (url, address) => {
  expect(await checkDestination(url, strict, fakeDns().resolve)).toHaveProperty("addresses", [
    address,
  ]);
});

test.each([
  ["that is unknown", fakeDns().resolve],
  ["without addresses", async () => []],
  ["whose resolver breaks", () => Promise.reject(new Error("SERVFAIL"))],
])("refuses a name %s", async (_case, resolve) => {
  expect(await checkDestination("https://hooks.test/", strict, resolve)).toEqual({
    refusal: "The host name hooks.test cannot be resolved.",
  });
});

test("waits for a resolver until the signal aborts", async () => {
  const never = () => new Promise<string[]>(() => undefined);
  expect(
    await checkDestination("https://hooks.test/", strict, never, AbortSignal.timeout(10)),
  ).toEqual({
    refusal: "The host name hooks.test cannot be resolved.",
  });
});

describe("allowed subnets", () => {
  const allowed = (subnets: string[], ...addresses: string[]) =>
    checkDestination(
      "http://hooks.test/",
      { allowHttp: true, allowedSubnets: subnets },
      fakeDns({ "hooks.test": addresses }).resolve,
    ).then((receiver) => "addresses" in receiver);

  test.each([
    [["10.1.0.0/16"], ["10.1.2.3"]],
    [["10.1.0.0/16"], ["::ffff:10.1.2.3"]],
    [
      ["127.0.0.1/32", "::1/128"],
      ["127.0.0.1", "::1"],
    ],
    [["fd00::/8"], ["fd12::1"]],
    [["10.0.0.0/8"], ["10.0.0.1", publicV4]],
    [["64:ff9b::/96"], ["64:ff9b::a00:1"]],
  ])("%j let %j through", async (subnets, addresses) => {
    expect(await allowed(subnets, ...addresses)).toBe(true);
  });

  test.each([
    [["10.1.0.0/16"], ["10.2.0.1"]],
    [["10.1.0.0/16"], ["10.1.2.3", "10.2.0.1"]],
    [["10.0.0.0/8"], ["64:ff9b::a00:1"]],
    [["10.0.0.0/8"], ["2002:a00:1::1"]],
    [["0.0.0.0/0"], ["::1"]],
    [["::/0"], ["127.0.0.1"]],
    [["nonsense", "10.0.0.1", "10.0.0.0/99"], ["10.0.0.1"]],
  ])("%j do not let %j through", async (subnets, addresses) => {
    expect(await allowed(subnets, ...addresses)).toBe(false);
  });

  test.each([
    ["10.0.0.0/8", true],
    ["::1/128", true],
    ["fd00::/8", true],
    ["10.0.0.1", false],
    ["10.0.0.0/33", false],
    ["::ffff:10.0.0.0/104", false],
    ["internal", false],
    ["", false],
  ])("%j can be configured: %j", (text, valid) => {
    expect(isSubnet(text)).toBe(valid);
  });
});
