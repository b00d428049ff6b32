/**
 * A character that is seen: no space, no control or format character, no mark without a letter, and
 * none of the letters and signs that Unicode has for nothing, such as U+3164, U+2800 and U+1D159.
 */
const seen =
  /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Whether something of a text is seen. */
export const isVisible = (text: string): boolean => seen.test(text);
