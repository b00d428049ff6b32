import {
  snapshotLines,
  type SnapshotCounts,
  type SnapshotKind,
  type SnapshotLine,
} from "../../contract/resources/snapshot.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { filterOutput, requiredToView } from "../../kernel/access/filter-output.ts";

/** Writes the lines of a snapshot, as its reader may view them, and counts them. */
export class Lines {
  readonly counts: SnapshotCounts = Object.assign(
    {},
    ...Object.keys(snapshotLines).map((kind) => ({ [kind]: 0 })),
  );
  readonly #may: ReadonlySet<Permission>;

  constructor(may: ReadonlySet<Permission>) {
    this.#may = may;
  }

  /** Whether the reader may view lines of a kind. */
  shows(kind: SnapshotKind): boolean {
    const required = requiredToView(snapshotLines[kind]);
    return [...required].every((permission) => this.#may.has(permission));
  }

  /** The text of some lines of a kind. A test compares them with their schema. */
  write<Kind extends SnapshotKind>(kind: Kind, values: readonly SnapshotLine<Kind>[]): string {
    this.counts[kind] += values.length;
    const schema = snapshotLines[kind];
    const lines = values.map((value) => {
      const visible = Object(filterOutput(schema, value, this.#may));
      return `${JSON.stringify({ kind, ...visible })}\n`;
    });
    return lines.join("");
  }

  /** The last line: without it, a snapshot is incomplete. */
  end(cursor: string): string {
    return `${JSON.stringify({ kind: "end", counts: this.counts, cursor })}\n`;
  }
}
