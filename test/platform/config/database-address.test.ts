import { describe, expect, test } from "vitest";
import { readConfig } from "../../../src/platform/config.ts";
import { readDatabaseAddress, takeServers } from "../../../src/platform/database-address.ts";

const signs = Array.from({ length: 0x7f - 0x20 }, (_, nth) => String.fromCharCode(0x20 + nth));
const passwordOf = (address: string) => decodeURIComponent(new URL(address).password);

/** The refusal of an address. */
function refusal(address: string): string {
  try {
    return `accepted as ${readDatabaseAddress(address)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each(signs)(
  "a password with %j is read as it is, or the message says how to write it",
  (sign) => {
    for (const password of [
      `p${sign}w`,
      `12${sign}w`,
      `${sign}w`,
      `w${sign}`,
      `w${sign}${sign}34`,
    ]) {
      const address = (written: string) => `postgresql://user:${written}@host:5432/boards`;
      expect(passwordOf(readDatabaseAddress(address(encodeURIComponent(password))))).toBe(password);
      const raw = address(password);
      const message = refusal(raw);
      if (message.startsWith("accepted"))
        expect(passwordOf(readDatabaseAddress(raw))).toBe(password);
      else expect(message).toContain(`${sign} %${sign.charCodeAt(0).toString(16).toUpperCase()}`);
    }
  },
);

test("a socket is named by the parameter host, with or without a host before it", () => {
  const read = "postgresql://user:pw@localhost/boards?host=/var/run/postgresql";
  expect(readDatabaseAddress("postgresql://user:pw@/boards?host=/var/run/postgresql")).toBe(read);
  expect(readDatabaseAddress(read)).toBe(read);
  expect(readDatabaseAddress("postgresql:///boards?host=/tmp")).toBe(
    "postgresql://localhost/boards?host=/tmp",
  );
  expect(refusal("postgresql://user:pw@/var/run/postgresql/boards")).toContain(
    "write postgresql://user:password@localhost/boards?host=/var/run/postgresql",
  );
});

test("parameters stay, also with signs that a password may not have", () => {
  const address = "postgresql://user:pw@host/boards?sslrootcert=/certs/a@b.pem";
  expect(new URL(readDatabaseAddress(address)).searchParams.get("sslrootcert")).toBe(
    "/certs/a@b.pem",
  );
  const anonymous = "postgresql://host:5432/boards?sslrootcert=/certs/a@b.pem";
  expect(new URL(readDatabaseAddress(anonymous)).hostname).toBe("host");
});

test("an unknown sslmode is refused, and those that are verified all the same are", () => {
  const address = (mode: string) => `postgresql://u:p@host/boards?sslmode=${mode}`;
  expect(refusal(address("verify_full"))).toContain("must be one of disable, prefer, require");
  for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
    expect(readDatabaseAddress(address(mode))).toBe(address("verify-full"));
  }
  const compatible = `${address("require")}&uselibpqcompat=true`;
  expect(readDatabaseAddress(compatible)).toBe(compatible);
});

test("other faults of an address say what is wrong, and never the password", () => {
  expect(refusal("mysql://u:p@host/boards")).toContain("postgresql://");
  expect(refusal("postgres://u:secret")).toContain("quote a value with #");
  const read = () => readConfig({ DATABASE_URL: "postgresql://u:hunter#2@host/boards" });
  expect(read).toThrow(/DATABASE_URL: has a "#".*%23/);
  expect(read).not.toThrow(/hunter/);
});

describe("an address with several hosts", () => {
  const read = (rest: string) => takeServers(new URL(readDatabaseAddress(`postgresql://${rest}`)));

  test("names them as libpq does: each with a port, in parameters, as sockets", () => {
    const servers = [
      { host: "one", port: 5432 },
      { host: "two", port: 5433 },
    ];
    expect(read("u:p@one,two:5433/boards")).toEqual({ servers, wanted: "any" });
    expect(read("u:p@one:5432,two:5433/boards?target_session_attrs=read-write")).toEqual({
      servers,
      wanted: "read-write",
    });
    expect(read("u:p@/boards?host=one,two&port=5432,5433")).toEqual({ servers, wanted: "any" });
    expect(read("[::1]:5432,[fd00::2]:5433/boards?target_session_attrs=primary")).toEqual({
      servers: [
        { host: "::1", port: 5432 },
        { host: "fd00::2", port: 5433 },
      ],
      wanted: "primary",
    });
    expect(read("/boards?host=/run/a,/run/b&port=5433")?.servers).toEqual([
      { host: "/run/a", port: 5433 },
      { host: "/run/b", port: 5433 },
    ]);
  });

  test("is one server of a kind, or the driver's own affair", () => {
    expect(read("u:p@one/boards")).toBeUndefined();
    expect(read("u:p@one/boards?target_session_attrs=any")).toBeUndefined();
    expect(read("u:p@one/boards?target_session_attrs=read-write")).toEqual({
      servers: [{ host: "one", port: 5432 }],
      wanted: "read-write",
    });
  });

  test("keeps its password, parameters and database for each host", () => {
    const address = new URL(
      readDatabaseAddress("postgresql://u:p%40w@one,two/boards?sslmode=require"),
    );
    takeServers(address);
    expect(address.href).toBe("postgresql://u:p%40w@one/boards?sslmode=verify-full");
  });

  test.each([
    ["one,two/boards?target_session_attrs=standby", "must be one of any, read-write, primary"],
    ["one,two/boards?target_session_attrs=prefer-standby", "must be one of any, read-write"],
    ["one,,two/boards", "has an empty host"],
    ["/boards?host=a,b,c&port=1,2", "names 3 hosts and 2 ports"],
    ["one,two/boards?host=a,b", "in the parameter host: write one list"],
    ["one:5432,two:99999/boards", "has a port that is not a number from 1 to 65535"],
    ["/boards?host=a,b&port=x", "has a port that is not a number"],
  ])("%s is refused", (rest, message) => {
    const text = refusal(`postgresql://u:hunter2@${rest}`);
    expect(text).toContain(message);
    expect(text).not.toContain("hunter2");
  });
});
