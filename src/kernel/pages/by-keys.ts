import { z } from "zod";
import type { Seal } from "../../platform/crypto/seal.ts";
import { pagesBy } from "./by-id.ts";

const Keys = z.array(z.string().nullable());
type Keys = z.infer<typeof Keys>;

/** Pages of a list by its sort keys: a cursor has the keys of the last row. */
export function pagesByKeys(seal: Seal, list: string) {
  const read = (text: string) => Keys.parse(JSON.parse(text));
  const { after, cut } = pagesBy<Keys>(seal, list, JSON.stringify, read);
  return {
    after,
    page: <Row extends { keys: Keys }>(rows: Row[], limit: number) =>
      cut(rows, limit, ({ keys }) => keys),
  };
}
