import fc from "fast-check";
import { isIP } from "node:net";
import { describe, expect, test } from "vitest";
import {
  canonicalAddress,
  clientAddress,
  limitedNetwork,
  TrustedProxies,
} from "../../../src/pipeline/limits/client-address.ts";

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::FFFF:102:304", "1.2.3.4"],
  ["0000:0000:0000:0000:0000:ffff:7f00:0001", "127.0.0.1"],
  ["::", "0:0:0:0:0:0:0:0"],
  ["::1", "0:0:0:0:0:0:0:1"],
  ["2001:DB8::1", "2001:db8:0:0:0:0:0:1"],
  ["2001:0db8:0000:0000:0001:0000:0000:0000", "2001:db8:0:0:1:0:0:0"],
  ["1::2.3.4.5", "1:0:0:0:0:0:203:405"],
  ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1"],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["", undefined],
  ["unknown", undefined],
  ["1.2.3", undefined],
  ["01.2.3.4", undefined],
  ["1.2.3.4.5", undefined],
  ["::1::", undefined],
  ["12345::", undefined],
])("%s is %s", (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical);
});

test("every spelling of an IPv6 address is one address", () => {
  const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), {
    minLength: 8,
    maxLength: 8,
  });
  fc.assert(
    fc.property(groups, (all) => {
      const long = all.map((group) => group.toString(16).padStart(4, "0")).join(":");
      const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
      expect(isIP(short)).toBe(6);
      expect(canonicalAddress(short)).toBe(canonicalAddress(long));
      expect(canonicalAddress(long.toUpperCase())).toBe(canonicalAddress(long));
    }),
  );
});

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:0:0:0:1", "2001:db8:1:2::/64"],
  ["2001:db8:1:3:0:0:0:1", "2001:db8:1:3::/64"],
])("%s counts as %s", (address, network) => {
  expect(limitedNetwork(address)).toBe(network);
});

describe("the client's address", () => {
  const proxies = ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "2001:db8::5"];
  const rows: [string, readonly string[], string, string[], string][] = [
    ["no proxies: the header counts for nothing", [], "10.0.0.1", ["8.8.8.8"], "10.0.0.1"],
    ["a stranger's header counts for nothing", proxies, "9.9.9.9", ["8.8.8.8"], "9.9.9.9"],
    ["the right-most address behind a proxy", proxies, "10.0.0.1", ["7.7.7.7, 8.8.8.8"], "8.8.8.8"],
    [
      "proxies in a row are passed",
      proxies,
      "10.0.0.1",
      ["8.8.8.8, 192.0.2.7, 10.9.9.9"],
      "8.8.8.8",
    ],
    [
      "what stands left of a stranger is forged",
      proxies,
      "10.0.0.1",
      ["10.1.1.1, 8.8.8.8"],
      "8.8.8.8",
    ],
    [
      "several headers are one list",
      proxies,
      "10.0.0.1",
      ["7.7.7.7", "8.8.8.8", "10.2.2.2"],
      "8.8.8.8",
    ],
    ["only proxies: the left-most", proxies, "10.0.0.1", ["10.3.3.3, 10.2.2.2"], "10.3.3.3"],
    ["no header: the proxy itself", proxies, "10.0.0.1", [], "10.0.0.1"],
    ["an empty header: the proxy itself", proxies, "10.0.0.1", [""], "10.0.0.1"],
    ["no address: the proxy that wrote it", proxies, "10.0.0.1", ["8.8.8.8, unknown"], "10.0.0.1"],
    ["no address further left", proxies, "10.0.0.1", ["x, 10.2.2.2"], "10.2.2.2"],
    ["ports", proxies, "10.0.0.1", ["8.8.8.8:1234"], "8.8.8.8"],
    ["IPv6 in brackets", proxies, "10.0.0.1", ["[2001:db8::9]:443"], "2001:db8:0:0:0:0:0:9"],
    ["an IPv6 proxy in a network", proxies, "fd12::1", ["8.8.8.8"], "8.8.8.8"],
    ["an IPv6 proxy by its address", proxies, "2001:0db8:0:0:0:0:0:5", ["8.8.8.8"], "8.8.8.8"],
    ["its neighbour is none", proxies, "2001:db8::6", ["8.8.8.8"], "2001:db8:0:0:0:0:0:6"],
    ["an IPv4-mapped proxy is an IPv4 one", proxies, "::ffff:10.0.0.1", ["8.8.8.8"], "8.8.8.8"],
    ["an IPv4-mapped client is an IPv4 one", proxies, "10.0.0.1", ["::ffff:8.8.8.8"], "8.8.8.8"],
    [
      "networks of IPv4 hold no IPv6",
      ["0.0.0.0/0"],
      "2001:db8::1",
      ["8.8.8.8"],
      "2001:db8:0:0:0:0:0:1",
    ],
  ];
  test.each(rows)("%s", (_name, networks, socket, forwarded, client) => {
    const headers = ["host", "a", ...forwarded.flatMap((value) => ["x-forwarded-for", value])];
    expect(clientAddress(socket, headers, new TrustedProxies(networks))).toBe(client);
  });

  test("other headers that name an address are not read", () => {
    const headers = ["forwarded", "for=8.8.8.8", "x-real-ip", "8.8.8.8"];
    expect(clientAddress("10.0.0.1", headers, new TrustedProxies(proxies))).toBe("10.0.0.1");
  });
});
