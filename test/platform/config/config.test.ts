import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../../src/contract/limits.ts";
import {
  Environment,
  rateLimitOf,
  readConfig,
  removedSettings,
  unknownSettings,
} from "../../../src/platform/config.ts";

const example = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");
const lines = [...example.matchAll(/^# ([A-Z_]+)=([^#\n]*)/gm)];
const said = Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value.trim()]));

describe("the configuration", () => {
  test("is documented completely in .env.example", () => {
    expect(Object.keys(said).toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
  });

  test("has the defaults that .env.example shows", () => {
    const { NODE_ENV: _, BASE_URL: _b, DATABASE_URL: _d, ...others } = said;
    expect(readConfig(others)).toEqual(readConfig({}));
  });

  test("reaches the service of compose.yaml completely", () => {
    const compose = readFileSync(new URL("../../../compose.yaml", import.meta.url), "utf8");
    const [, environment = ""] = compose.match(/^    environment:\n((?: {6}.*\n)+)/m) ?? [];
    const passed = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name);
    expect(passed.toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
  });

  test("has at most 46 settings, which .env.example says in 80 lines", () => {
    expect(Object.keys(Environment.shape).length).toBeLessThanOrEqual(46);
    expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(80);
  });

  test("LIMITS changes the limits that it names", () => {
    const { LIMITS } = readConfig({ LIMITS: "boards=2000, checklist_items=7" });
    expect(LIMITS).toEqual({ ...defaultLimits, boards: 2_000, checklist_items: 7 });
    for (const wrong of [
      "boards",
      "boards=0",
      "boards=2.5",
      "boards=-1",
      "rooms=2",
      "toString=2",
    ]) {
      expect(() => readConfig({ LIMITS: wrong }), wrong).toThrow(/LIMITS was .*: must be pairs/);
    }
  });

  test("names the settings of earlier versions that have no effect", () => {
    const env = { STREAM_LIMIT: "9", LIMIT_ITEMS: "7", LIMIT_ARCHIVED_LISTS: "5", CACHE_MB: "" };
    expect(removedSettings({ ...env, PORT: "3000", LOG_FORMAT: "json" })).toEqual([
      "STREAM_LIMIT is no longer a setting and has no effect. Remove it.",
      "LOG_FORMAT is no longer a setting and has no effect. Remove it.",
      "LIMIT_ARCHIVED_LISTS is no longer a setting and has no effect. Set LIMITS=archived_lists=5.",
      "LIMIT_ITEMS is no longer a setting and has no effect. Set LIMITS=checklist_items=7.",
    ]);
    expect(readConfig(env).STREAM_LIMIT).toBe(50);
  });

  test("names the names of a .env file that are no settings, with the one that each resembles", () => {
    const file = {
      PORT: "3000",
      RATE_LIMITS: "5",
      DATABASE_URI: "postgresql://localhost/boards",
      webhook_allow_http: "true",
      COLOUR_OF_THE_SHED: "green",
      STREAM_LIMIT: "9",
      WBS_TOKEN: "a key",
      NODE_OPTIONS: "",
    };
    const what = "in .env is not a setting and has no effect.";
    expect(unknownSettings(file)).toEqual([
      `RATE_LIMITS ${what} Did you mean RATE_LIMIT?`,
      `DATABASE_URI ${what} Did you mean DATABASE_URL?`,
      `webhook_allow_http ${what} Did you mean WEBHOOK_ALLOW_HTTP?`,
      `COLOUR_OF_THE_SHED ${what}`,
    ]);
  });

  test("no message about a setting shows the value of a secret, or a word in its place", () => {
    const secrets = Object.keys(Environment.shape).filter((name) =>
      /SECRET|_KEY$|_URL$/.test(name),
    );
    expect(secrets.length).toBeGreaterThan(10);
    for (const name of secrets) {
      try {
        readConfig({ [name]: "hunter2 {}" });
      } catch (error) {
        const message = error instanceof Error ? error.message : "";
        const isShown = /^(?!.*(?:SECRET|KEY|STORAGE_URL|DATABASE_URL|SMTP_URL))/.test(name);
        expect([name, message.includes("hunter2")]).toEqual([name, isShown]);
        expect(message).toMatch(isShown ? / was "hunter2 \{\}": / : /- [A-Z_]+: /);
      }
    }
  });

  test("the rate limit is higher in development, unless it is set", () => {
    expect(rateLimitOf(readConfig({}))).toBe(1_000);
    expect(rateLimitOf(readConfig({ HOST: "0.0.0.0" }))).toBe(100);
    expect(rateLimitOf(readConfig({ NODE_ENV: "production" }))).toBe(100);
    expect(rateLimitOf(readConfig({ RATE_LIMIT: "7" }))).toBe(7);
  });

  test("BASE_URL is the address of the service, not of its API", () => {
    const wrong = () => readConfig({ BASE_URL: "https://boards.example.com/api/v1/" });
    expect(wrong).toThrow(/BASE_URL was .*without \/api\/v1/);
  });

  test("treats an empty variable as not set", () => {
    expect(readConfig({ PORT: "", CORS_ORIGINS: "" })).toEqual(readConfig({}));
  });

  test("reports all invalid settings with value and rule, but never a secret", () => {
    expect(() => readConfig({ NODE_ENV: "staging" })).toThrow(/NODE_ENV was "staging"/);
    const wrong = { PORT: "http", SIGN_UP: "maybe", APP_SECRET: "too short", BASE_URL: "ftp://x" };
    expect(() => readConfig({ WORKERS: "-1" })).toThrow(/must be a whole number from 0 to 64/);
    expect(() => readConfig({ WORKERS: "65" })).toThrow(/must be a whole number from 0 to 64/);
    const read = () => readConfig(wrong);
    expect(read).toThrow(/PORT was "http": must be a whole number from 0 to 65535/);
    expect(read).toThrow(/SIGN_UP was "maybe": must be one of open, invited, closed/);
    expect(read).toThrow(/BASE_URL was "ftp:\/\/x"/);
    expect(read).toThrow(/- APP_SECRET: must have at least 32 characters/);
    expect(read).not.toThrow(/too short/);
  });

  test("CORS_ORIGINS takes origins only", () => {
    const origins = ["https://app.example.com", "http://localhost:5173"];
    expect(readConfig({ CORS_ORIGINS: origins.join() }).CORS_ORIGINS).toEqual(origins);
    for (const wrong of ["*", "app.example.com", "https://app.example.com/", "https://a.b/c"]) {
      expect(() => readConfig({ CORS_ORIGINS: wrong }), wrong).toThrow(/CORS_ORIGINS was/);
    }
  });

  test("a page's address contains the value's placeholder", () => {
    const INVITE_URL = "https://app.example.com/join?code={code}";
    expect(readConfig({ INVITE_URL }).INVITE_URL).toBe(INVITE_URL);
    for (const wrong of ["https://app.example.com/join", "join/{code}", "javascript:{code}"]) {
      expect(() => readConfig({ INVITE_URL: wrong }), wrong).toThrow(/INVITE_URL was/);
    }
  });

  test("a page's address contains no other placeholder", () => {
    const page = "https://app.example.com/{boardPublicId}/{cardPublicId}?in={workspacePublicId}";
    expect(readConfig({ CARD_URL: page }).CARD_URL).toBe(page);
    const wrong = {
      CARD_URL: page.replace("{workspacePublicId}", "{workspace}"),
      INVITE_URL: "https://app.example.com/{inviteCode}/{code}",
      PASSWORD_RESET_URL: "https://app.example.com/reset/{token}",
      VERIFY_EMAIL_URL: "https://app.example.com/verify/{token}",
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect(() => readConfig({ [name]: value }), value).toThrow(`${name} was "${value}": may`);
    }
  });

  test("requires a secret in production with a DATABASE_URL", () => {
    const production = { NODE_ENV: "production", DATABASE_URL: "postgres://localhost/boards" };
    expect(() => readConfig(production)).toThrow(/APP_SECRET is required/);
    expect(readConfig({ ...production, APP_SECRET: "x".repeat(32) }).PORT).toBe(3000);
  });
});
