import { expect, test } from "vitest";
import { readConfig } from "../../../src/platform/config.ts";
import { readDatabaseAddress } from "../../../src/platform/database-address.ts";

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
  expect(refusal("postgres://u:secret@one,two/boards")).toContain("one host");
  expect(refusal("postgres://u:secret")).toContain("quote a value with #");
  const read = () => readConfig({ DATABASE_URL: "postgresql://u:hunter#2@host/boards" });
  expect(read).toThrow(/DATABASE_URL: has a "#".*%23/);
  expect(read).not.toThrow(/hunter/);
});
