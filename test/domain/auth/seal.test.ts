import fc from "../../support/fast-check.ts";
import { describe, expect, test } from "vitest";
import { createSeal, Unsealable } from "../../../src/platform/crypto/seal.ts";

const secret = "a secret of this service, long enough";
const older = "the secret before it, also long enough";
const { seal, open } = createSeal([secret]);

describe("seal", () => {
  test("opens to the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, purpose) => {
        expect(open(purpose, seal(purpose, text))).toBe(text);
      }),
    );
  });

  test("produces a different result each time, never the text itself", () => {
    const sealed = Array.from({ length: 100 }, () => seal("github", "gho_visible"));
    expect(new Set(sealed).size).toBe(100);
    expect(sealed.join()).not.toContain("visible");
    expect(sealed[0]).toMatch(/^v1\.[\w-]+$/);
  });

  test("rejects a sealed text with a changed, missing or added character", () => {
    const sealed = seal("github", "gho_16C7e42F292c6912E7710c838347Ae178B4a");
    const alphabet = "ABCDXYZabcxyz0189-_=.+/ \n".split("");
    const position = fc.nat(sealed.length - 1);
    fc.assert(
      fc.property(position, fc.constantFrom("", ...alphabet), (at, by) => {
        const altered = sealed.slice(0, at) + by + sealed.slice(at + 1);
        fc.pre(altered !== sealed);
        expect(() => open("github", altered)).toThrow(Unsealable);
        const longer = sealed.slice(0, at) + (by || "A") + sealed.slice(at);
        expect(() => open("github", longer)).toThrow(Unsealable);
      }),
      { numRuns: 500 },
    );
  });

  test("rejects truncated and empty texts and unknown versions", () => {
    const sealed = seal("github", "gho_token");
    for (let end = 0; end < sealed.length; end++) {
      expect(() => open("github", sealed.slice(0, end))).toThrow(Unsealable);
    }
    expect(() => open("github", sealed.replace("v1", "v2"))).toThrow(Unsealable);
  });

  test("opens only for the same purpose", () => {
    const sealed = seal("integration.github:user1", "gho_token");
    expect(() => open("integration.github:user2", sealed)).toThrow(Unsealable);
    expect(() => open("", sealed)).toThrow(Unsealable);
  });

  test("opens with previous secrets and seals with the current one", () => {
    const rotated = createSeal([secret, "one in between", older]);
    expect(rotated.open("github", createSeal([older]).seal("github", "old"))).toBe("old");
    expect(open("github", rotated.seal("github", "new"))).toBe("new");
  });

  test("rejects texts of unknown secrets without revealing them", () => {
    const sealed = createSeal([older]).seal("github", "gho_token");
    try {
      open("github", sealed);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Unsealable);
      expect(String(error)).not.toContain(sealed.slice(3, 12));
      expect(String(error)).not.toContain("gho_");
    }
  });

  test("rejects an empty secret", () => {
    expect(() => createSeal([""])).toThrow("must not be empty");
    expect(() => createSeal([secret, ""])).toThrow("must not be empty");
  });
});
