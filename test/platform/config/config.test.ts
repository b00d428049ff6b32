import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../../src/contract/limits.ts";
import {
  Environment,
  rateLimitOf,
  readConfig,
  removedSettings,
  unknownSettings,
} from "../../../src/platform/config.ts";
import { secretSettings } from "../../../src/platform/secret-settings.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

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
    const passed = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = ""]) => name);
    const settings = Object.keys(Environment.shape);
    const ofTheSdk = (name: string) => name.startsWith("OTEL_") && !settings.includes(name);
    expect(passed.filter((name) => !ofTheSdk(name)).toSorted()).toEqual(settings.toSorted());
  });

  test("has at most 55 settings, which .env.example says in 80 lines", () => {
    expect(Object.keys(Environment.shape).length).toBeLessThanOrEqual(55);
    expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(80);
  });

  test("the service is no issuer of its own", () => {
    const set = { OIDC_AUDIENCE: "boards", OIDC_ISSUER: "https://boards.example.com" };
    for (const BASE_URL of ["https://boards.example.com", "https://boards.example.com/"]) {
      expect(() => readConfig({ ...set, BASE_URL })).toThrow(/OIDC_ISSUER is the address of the/);
    }
    const local = { ...set, OIDC_ISSUER: "http://127.0.0.1:3000/" };
    expect(() => readConfig(local)).toThrow(/OIDC_ISSUER is the address of the service/);
    expect(readConfig({ ...set, BASE_URL: "https://api.example.com" }).OIDC_ISSUER).toBe(
      set.OIDC_ISSUER,
    );
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
      OTEL_SERVICE_NAME: "boards",
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

  test("each setting that is a secret can be in a file, and the list of them has them all", async () => {
    const named = Object.keys(Environment.shape).filter((name) => /SECRET|KEY/.test(name));
    expect(secretSettings).toEqual(expect.arrayContaining(named));
    const folder = await temporaryDirectory();
    const path = join(folder, "secret");
    const values: Partial<Record<(typeof secretSettings)[number], string>> = {
      DATABASE_URL: "postgresql://u:p@host/boards",
      STORAGE_URL: "s3://key:secret@host/bucket",
      SMTP_URL: "smtp://u:p@mail",
      SIGN_IN_PROVIDERS: "[]",
    };
    for (const name of secretSettings) {
      const value = values[name] ?? "a secret with at least 32 characters";
      for (const end of ["", "\n", "\r\n"]) {
        await writeFile(path, `${value}${end}`);
        const file = { [`${name}_FILE`]: path };
        expect(readConfig(file)[name]).toEqual(readConfig({ [name]: value })[name]);
      }
      expect(() => readConfig({ [name]: value, [`${name}_FILE`]: path })).toThrow(
        `${name} and ${name}_FILE are both set: remove one of them`,
      );
      const missing = join(folder, "missing");
      expect(() => readConfig({ [`${name}_FILE`]: missing })).toThrow(
        `${name}_FILE: the file ${missing} cannot be read (ENOENT)`,
      );
    }
    await writeFile(path, "\n");
    expect(() => readConfig({ APP_SECRET_FILE: path })).toThrow(
      /APP_SECRET_FILE: the file .* is empty/,
    );
    await writeFile(path, "too short\n");
    const short = () => readConfig({ APP_SECRET_FILE: path });
    expect(short).toThrow(/APP_SECRET: must have at least 32 characters/);
    expect(short).not.toThrow(/too short/);
    expect(unknownSettings({ APP_SECRET_FILE: path, PORT_FILE: path })).toEqual([
      expect.stringContaining("PORT_FILE in .env is not a setting"),
    ]);
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
