import { customAlphabet } from "nanoid";

/** A new public id: 12 random characters of 0-9a-z. */
export const publicId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 12);
