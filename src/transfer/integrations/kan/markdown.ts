import { textOf } from "../../../platform/foreign-text.ts";

/** Kan's editor writes HTML. Its API takes any text, so one that does not begin so is left alone. */
const isHtml =
  /^\s*<(?:p|div|h[1-6]|[uo]l|blockquote|pre|hr|br|a|b|strong|i|em|s|u|code|span|img)\b/i;

type Tag = { name: string; isEnd: boolean; attributes: string };

/** The tags and texts of an HTML document, in one pass. What is no tag is text. */
function* tokensOf(html: string): Generator<Tag | string> {
  for (let at = 0; at < html.length;) {
    const open = html.indexOf("<", at);
    if (open !== at) yield html.slice(at, open < 0 ? html.length : open);
    if (open < 0) return;
    const isComment = html.startsWith("<!--", open);
    const end = isComment ? html.indexOf("-->", open) + 2 : endOfTag(html, open);
    if (end < open) {
      yield html.slice(open);
      return;
    }
    const inside = html.slice(open + 1, end);
    const [, slash, name] = /^(\/?)([a-z][a-z0-9]*)/i.exec(inside) ?? [];
    if (name !== undefined)
      yield { name: name.toLowerCase(), isEnd: slash === "/", attributes: inside };
    else if (!isComment) yield html.slice(open, end + 1);
    at = end + 1;
  }
}

/** The index of the `>` of a tag, which may have others in quotes; -1 without one. */
function endOfTag(html: string, open: number): number {
  for (let at = open + 1; at < html.length; at++) {
    const sign = html[at];
    if (sign === ">") return at;
    if (sign !== '"' && sign !== "'") continue;
    at = html.indexOf(sign, at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

const entities = new Map(
  Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }),
);

const decoded = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,8}));/gi,
    (entity, number, hex, name) => {
      if (name !== undefined) return entities.get(String(name).toLowerCase()) ?? entity;
      const code = number === undefined ? Number.parseInt(hex, 16) : Number(number);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );

function attributeOf(attributes: string, name: string): string {
  const match = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, "i").exec(attributes);
  return decoded(match?.[1] ?? match?.[2] ?? "");
}

/** A text whose signs are no Markdown: neither it nor what is around it ends a link that it is in. */
const literal = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*[\]<]/g, String.raw`\$&`);

/** A fence that the text in it does not end. */
const fenceOf = (text: string): string => {
  const longest = [...text.matchAll(/`+/g)].reduce((max, [run]) => Math.max(max, run.length), 2);
  return "`".repeat(longest + 1);
};

const marks = new Map(
  Object.entries({ strong: "**", b: "**", em: "*", i: "*", s: "~~", del: "~~", code: "`" }),
);
const blocks = new Set(["p", "div", "ul", "ol", "blockquote", "pre", "table", "tr"]);
/** Deeper quotes and lists are on this level. */
const maxDepth = 10;

/** Collects Markdown: finished lines, and the text of the current block. */
class Lines {
  readonly #lines: string[] = [];
  #length = 0;
  #text: string[] = [];
  /** What begins the next line of each open quote and item, and what begins its further lines. */
  readonly #levels: { first: string; rest: string }[] = [];
  readonly #lists: { next: number | null }[] = [];
  readonly #links: string[] = [];
  #heading = "";
  #isCode = false;

  text(html: string): void {
    const text = decoded(html);
    const isFirst = this.#text.length === 0 || this.#text.at(-1) === "\n";
    this.#text.push(this.#isCode ? text : literal(text).replace(/^ /, isFirst ? "" : " "));
  }

  /** Ends the current block. */
  end(): void {
    const blockText = this.#text.join("");
    const text = this.#isCode ? blockText.replace(/\n$/, "") : blockText.trim();
    this.#text = [];
    if (text === "") return;
    const isTight = this.#lists.length > 0 && this.#lines.length > 0;
    if (this.#lines.length > 0 && !isTight) this.#lines.push(this.#prefix("rest").trimEnd());
    const fence = this.#isCode ? [fenceOf(text)] : [];
    const escaped = this.#isCode
      ? text
      : text.replace(/^(?:#+ |>|[-+] |\d+[.)] )/, String.raw`\$&`);
    for (const line of [...fence, ...`${this.#heading}${escaped}`.split("\n"), ...fence]) {
      const prefix = this.#prefix("first");
      this.#length += prefix.length + line.length;
      this.#lines.push(prefix + line);
      for (const level of this.#levels.slice(0, maxDepth)) level.first = level.rest;
    }
  }

  take({ name, isEnd, attributes }: Tag): void {
    const mark = marks.get(name);
    if (mark !== undefined && !this.#isCode) return this.#mark(mark, isEnd);
    if (name === "br") this.#text.push("\n");
    if (name === "img")
      this.#text.push(
        `![${literal(attributeOf(attributes, "alt"))}](${linkOf(attributes, "src")})`,
      );
    if (name === "a") this.#link(isEnd, attributes);
    if (!blocks.has(name) && !/^(?:h[1-6]|hr|li)$/.test(name)) return;
    this.end();
    this.#heading = /^h[1-6]$/.test(name) && !isEnd ? `${"#".repeat(Number(name[1]))} ` : "";
    this.#isCode = name === "pre" && !isEnd;
    if (name === "hr") this.#lines.push("", "---");
    if (name === "blockquote" || name === "li") {
      if (isEnd) this.#levels.pop();
      else this.#levels.push(name === "li" ? this.#item(attributes) : { first: "> ", rest: "> " });
    }
    if (name === "ul" || name === "ol") {
      if (isEnd) this.#lists.pop();
      else this.#lists.push({ next: name === "ol" ? 1 : null });
    }
  }

  /** Whether the text is longer than any that is stored: nobody would see the rest. */
  get isLong(): boolean {
    return this.#length > maxMarkdown;
  }

  toString(): string {
    this.end();
    return this.#lines.join("\n").trim();
  }

  #prefix(part: "first" | "rest"): string {
    return this.#levels
      .slice(0, maxDepth)
      .map((level) => level[part])
      .join("");
  }

  #item(attributes: string) {
    const list = this.#lists.at(-1);
    const number = list?.next ?? null;
    if (list !== undefined && number !== null) list.next = number + 1;
    const checked = /\sdata-checked="(true|false)"/.exec(attributes)?.[1];
    const box = checked === undefined ? "" : checked === "true" ? "[x] " : "[ ] ";
    const sign = number === null ? "- " : `${number}. `;
    return { first: `${sign}${box}`, rest: " ".repeat(sign.length) };
  }

  /** An emphasis of nothing is left out. */
  #mark(mark: string, isEnd: boolean): void {
    if (isEnd && this.#text.at(-1) === mark) this.#text.pop();
    else this.#text.push(mark);
  }

  #link(isEnd: boolean, attributes: string): void {
    if (!isEnd) {
      const address = linkOf(attributes, "href");
      this.#links.push(address);
      if (address !== "") this.#text.push("[");
      return;
    }
    const address = this.#links.pop() ?? "";
    if (address !== "") this.#text.push(`](${address})`);
  }
}

/** An address in an attribute; "" for one that is not of the web or of mail. */
function linkOf(attributes: string, name: string): string {
  const address = attributeOf(attributes, name);
  return /^(?:https?:\/\/|mailto:)[^\s()<>]+$/i.test(address) ? address : "";
}

/** Longer than any text that is stored: what is cut is reported as cut. */
const maxMarkdown = 150_000;

/** A longer text would hold up other work. */
const maxLength = 200_000;

/** The Markdown of a text of Kan's editor. A text that is very long, or not HTML, stays as it is. */
export function markdownOf(value: unknown): unknown {
  const html = textOf(value);
  if (html === null || html.length > maxLength || !isHtml.test(html)) return value;
  const lines = new Lines();
  for (const token of tokensOf(html)) {
    if (typeof token === "string") lines.text(token);
    else lines.take(token);
    if (lines.isLong) break;
  }
  return lines.toString();
}
