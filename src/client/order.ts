/** The part of a cursor that sorts. */
export const orderOf = (cursor: string): string => cursor.slice(cursor.lastIndexOf(".") + 1);
