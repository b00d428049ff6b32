import { getOrInsert } from "../platform/maps.ts";

/** A range of a text: from `start` to before `end`. */
type Range = { start: number; end: number };

/** A line of a text, behind the marks of the quotes and the list items that it is in. */
type Line = {
  /** How far its content is behind where that of its list item or quote begins. */
  indent: number;
  content: string;
  quotes: number;
  isNewItem: boolean;
};

type Fence = { mark: string; quotes: number; column: number };

/** The most spaces before what is no code, and the most quotes and items that a line is in. */
const [maxIndent, maxDepth] = [3, 20];
const item = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;
const heading = /^#{1,6}(?=[ \t]|$)/;
/** A rule, which begins as a list item does. */
const rule = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Reads the lines of Markdown, and says which are code. */
class Blocks {
  /** The columns of the list items that the line is in. */
  #items: number[] = [];
  #quotes = 0;
  #isParagraph = false;
  #fence: Fence | undefined;

  /** What a line is: code, or text that begins a block or continues the one before. */
  take(text: string, start: number, end: number): "code" | "block" | "text" {
    const line = this.#read(text, start, end);
    if (this.#fence !== undefined && this.#isInFence(line, this.#fence)) return "code";
    const isBlank = line.content === "";
    const continues = this.#isParagraph && !line.isNewItem && line.quotes <= this.#quotes;
    this.#quotes = continues ? this.#quotes : line.quotes;
    if (isBlank || (line.indent > maxIndent && !continues)) {
      this.#isParagraph = false;
      return isBlank ? "block" : "code";
    }
    const mark = line.indent > maxIndent ? undefined : fenceIn(line.content);
    if (mark !== undefined) {
      this.#fence = { mark, quotes: line.quotes, column: this.#items.at(-1) ?? 0 };
      this.#isParagraph = false;
      return "code";
    }
    this.#isParagraph = !heading.test(line.content) && !rule.test(line.content);
    // The cells of a table are blocks of their own.
    return continues && this.#isParagraph && !line.content.startsWith("|") ? "text" : "block";
  }

  /** Whether a line is in a block between fences, which ends here or with what it is in. */
  #isInFence({ content, indent, quotes }: Line, { mark, ...fence }: Fence): boolean {
    const isOutside =
      quotes < fence.quotes || (content !== "" && (this.#items.at(-1) ?? 0) < fence.column);
    const isEnd =
      indent <= maxIndent &&
      content.startsWith(mark) &&
      content.replaceAll(mark[0] ?? "", "") === "";
    if (isOutside || isEnd) this.#fence = undefined;
    return !isOutside;
  }

  /** Reads what a line is in. Within a fence nothing but its quotes and its indent counts. */
  #read(text: string, start: number, end: number): Line {
    let [at, column, base, quotes, isNewItem] = [start, 0, 0, 0, false];
    const skipSpace = () => {
      const from = column;
      for (; at < end && (text[at] === " " || text[at] === "\t"); at++)
        column += text[at] === "\t" ? 4 - (column % 4) : 1;
      return column - from;
    };
    const content = () => text.slice(at, end).trimEnd();
    skipSpace();
    const maxQuotes = this.#fence?.quotes ?? maxDepth;
    while (at < end && text[at] === ">" && quotes < maxQuotes) {
      quotes++;
      at++;
      column++;
      base = column + 1;
      skipSpace();
    }
    if (content() === "") return { indent: 0, content: "", quotes, isNewItem };
    if (!this.#isParagraph || beginsBlock(content()))
      this.#items = this.#items.filter((inner) => inner <= column);
    const indent = () => column - Math.max(base, this.#items.at(-1) ?? 0);
    while (this.#fence === undefined && indent() <= maxIndent && !rule.test(content())) {
      const mark = item.exec(content())?.[0];
      if (mark === undefined || this.#items.length === maxDepth) break;
      isNewItem = true;
      at += mark.length;
      column += mark.length;
      const inner = column;
      // Behind more space is code.
      const isCode = skipSpace() > 4;
      this.#items.push(isCode || at === end ? inner + 1 : column);
    }
    return { indent: indent(), content: content(), quotes, isNewItem };
  }
}

/** Whether a line does not continue the paragraph before it, wherever it begins. */
const beginsBlock = (content: string) =>
  item.test(content) ||
  heading.test(content) ||
  rule.test(content) ||
  fenceIn(content) !== undefined;

/** The fence with which a line begins a block of code. */
function fenceIn(content: string): string | undefined {
  const [, mark, info = ""] = /^(`{3,}|~{3,})(.*)$/s.exec(content) ?? [];
  return mark?.startsWith("`") && info.includes("`") ? undefined : mark;
}

/** Adds the code within the text of a block: between runs of equally many backticks. */
function addSpans(text: string, { start, end }: Range, ranges: Range[]): void {
  const runs = [...text.slice(start, end).matchAll(/(?<!\\)(\\*)(`+)/g)].map(
    ({ index, 1: escapes = "", 2: ticks = "" }) => ({
      at: start + index + escapes.length,
      size: ticks.length,
      isEscaped: escapes.length % 2 === 1,
    }),
  );
  const later = new Map<number, number[]>();
  for (let nth = runs.length - 1; nth >= 0; nth--)
    getOrInsert(later, runs[nth]?.size ?? 0, () => []).push(nth);
  for (let nth = 0; nth < runs.length; nth++) {
    const { at, size, isEscaped } = runs[nth] ?? { at: 0, size: 0, isEscaped: false };
    // The first backtick of a run may be escaped; within code there are no escapes.
    const closers = later.get(isEscaped ? size - 1 : size) ?? [];
    while ((closers.at(-1) ?? nth + 1) <= nth) closers.pop();
    const close = closers.at(-1);
    const last = close === undefined ? undefined : runs[close];
    if (close === undefined || last === undefined) continue;
    ranges.push({ start: at + Number(isEscaped), end: last.at + last.size });
    nth = close;
  }
}

/** The code in Markdown, in order: blocks with fences or indents, and spans. In linear time. */
export function codeIn(text: string): Range[] {
  const ranges: Range[] = [];
  const blocks = new Blocks();
  let block: Range | undefined;
  const endBlock = () => {
    if (block !== undefined) addSpans(text, block, ranges);
    block = undefined;
  };
  for (let start = 0; start <= text.length;) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const kind = blocks.take(text, start, end);
    if (kind !== "text") endBlock();
    if (kind === "code") ranges.push({ start, end });
    else block = { start: block?.start ?? start, end };
    start = end + 1;
  }
  endBlock();
  return ranges;
}
