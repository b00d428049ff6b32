import type { CustomFieldType } from "../../../contract/resources/custom-fields.ts";
import type { z } from "zod";
import type { LabelStyle } from "./cells.ts";
import type { DateOrder } from "./dates.ts";
import type { AnyTarget } from "./targets.ts";

/** How a program writes its comments. */
export type CommentStyle = "text" | "jira" | "pivotal";

/** How a program writes its tables. Names of columns are in small letters, without other signs. */
export type Profile = {
  /** Its name for people. */
  program: string;
  /** Columns that only this program has together: any of these sets. */
  signs: readonly string[];
  /**
   * The columns of each target, in order of preference. Where a target has one value, the first
   * cell that has one counts; labels have those of all.
   */
  columns: { readonly [Name in AnyTarget]?: string };
  /** Columns that become custom fields. */
  fields?: Readonly<Record<string, z.infer<typeof CustomFieldType>>>;
  labels?: LabelStyle;
  comments?: CommentStyle;
  /** The priorities of numbers, from 0 on. */
  priorities?: readonly string[];
  /** The order of its dates, where it writes them in one. */
  order?: DateOrder;
  /** A column with the zone of its times. */
  offset?: string;
  /** Rows of which a card has several, or that are none. */
  rows?: "todoist" | "monday";
  /** The names of people beside their ids. */
  people?: Readonly<Record<string, string>>;
  /** Cells are texts as they stand: names such as `none` mean themselves. */
  isOurs?: boolean;
};

/** A name of a column in small letters, without other signs. */
export const bare = (name: string): string => {
  const text = name.trim().toLowerCase().replaceAll("%", "percent");
  return text === "#" ? "number" : text.normalize("NFC").replaceAll(/[^\p{L}\p{N}]/gu, "");
};
