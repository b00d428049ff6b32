import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** A public address. */
export const publicV4 = "93.184.215.14";

/** Hosts that are not public, in many spellings. */
export const hostileLiterals = `
  127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0x0.0x0.0x1 017700000001
  0177.0.0.1 0177.0.0.01 127.0x0.0.1 %31%32%37.0.0.1 １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 𝟏𝟐𝟕.𝟎.𝟎.𝟏
  0 0.0.0.0 0.1.2.3 00000000 0x0 10.0.0.1 10.255.255.255 167772161 172.16.0.1 172.31.255.255 192.168.0.1 3232235521
  100.64.0.1 100.100.100.200 100.127.255.255 169.254.169.254 2852039166 0xA9FEA9FE 0251.0376.0251.0376 169.254.0.1
  168.63.129.16 192.0.0.192 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295
  [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::127.0.0.1] [::7f00:1] [::a00:1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::ffff:169.254.169.254] [::ffff:0.0.0.0] [::ffff:0:127.0.0.1]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::169.254.169.254] [64:ff9b::0.0.0.0]
  [64:ff9b:1::127.0.0.1] [64:ff9b:1:7f00:0:100::] [64:ff9b:1::8.8.8.8]
  [2002:7f00:1::] [2002:7f00:1::1] [2002:a00:1::1] [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe]
  [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254] [fdff::1] [ff02::1] [ff0e::1]
  [2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1] [2001:20::1] [100::1] [5f00::1] [4000::1] [8000::1] [e000::1]
`
  .trim()
  .split(/\s+/);

/** Addresses of a name that are not allowed, with a description. */
export const hostileResponses: [string, string[]][] = [
  ["loopback", ["127.0.0.1"]],
  ["IPv6 loopback", ["::1"]],
  ["metadata", ["169.254.169.254"]],
  ["a public and a private address", [publicV4, "10.0.0.1"]],
  ["a private and a public address", ["10.0.0.1", publicV4]],
  ["a public IPv4 and a private IPv6 address", [publicV4, "fd00::1"]],
  ["a mapped address", ["::ffff:127.0.0.1"]],
  ["a compatible address", ["::127.0.0.1"]],
  ["a NAT64 address of loopback", ["64:ff9b::7f00:1"]],
  ["a link-local address with its zone", ["fe80::1%lo"]],
  ["an octal address", ["0177.0.0.1"]],
  ["a short address", ["127.1"]],
  ["a number", ["2130706433"]],
  ["another name", ["localhost"]],
  ["an empty string", [""]],
];

/** Names that the system resolves to this machine. */
export const hostileNames = ["localhost", "LOCALHOST", "ｌｏｃａｌｈｏｓｔ", "loc%61lhost"];

/** A listener on all addresses of this machine that counts connections. */
export function useCanary() {
  let port = 0;
  let connections = 0;
  const canary = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  beforeAll(async () => {
    await once(canary.listen(0), "listening");
    const address = canary.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });
  afterAll(() => void canary.close());
  return { port: () => port, connections: () => connections };
}
