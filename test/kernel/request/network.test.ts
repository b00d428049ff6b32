import { expect, test } from "vitest";
import { networkOf } from "../../../src/kernel/request/network.ts";

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
