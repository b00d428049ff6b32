import { expect, test } from "vitest";
import { networkOf } from "../../../src/kernel/request/network.ts";
import { createLimits } from "../../../src/kernel/request/rate-limits.ts";
import { siteOf } from "../../../src/platform/site.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:C000:201", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["local", "local"],
])("the address %s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["network 2001:db8:1:2::/64", "network 2001:db8:1::/48"],
  ["2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:0:0:2::/64", "2001::/48"],
  ["network 192.0.2.1", "network 192.0.2.1"],
  ["user abc", "user abc"],
  ["local", "local"],
  ["network odd/64", "network odd/64"],
])("the client %s is of the site %s", (client, site) => {
  expect(siteOf(client)).toBe(site);
});

test("a site has ten times the calls of one of its networks, and others have their own", async () => {
  const limits = createLimits(50, 10, { text: 1_000, stored: 1_000 });
  const calls = async (ip: string) => {
    for (let made = 0; ; made++) {
      try {
        await limits.client(ip, 1);
      } catch {
        return made;
      }
    }
  };
  const made: number[] = [];
  for (let nth = 0; nth < 11; nth++) made.push(await calls(`2001:db8:1:${nth}::1`));
  expect(made).toEqual([...Array.from({ length: 10 }, () => 10), 0]);
  expect(await calls("2001:db8:2:1::1")).toBe(10);
});
