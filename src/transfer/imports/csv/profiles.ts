import { bare, type Profile } from "./profile.ts";
import { profiles } from "./program-profiles.ts";

/** The name of a profile. */
export type ProfileName = keyof typeof profiles;

const isName = (name: string): name is ProfileName => Object.hasOwn(profiles, name);

/** The names of the profiles, as `from` has them. */
export const profileNames = Object.keys(profiles).filter(isName);

/** A profile by its name. */
export const profileOf = (name: ProfileName): Profile => profiles[name];

/** The program whose table has a header; `general` for another. */
export function profileIn(header: readonly string[]): ProfileName {
  const names = new Set(header.map(bare));
  const has = ({ signs }: Profile) =>
    signs.some((sign) => sign.split(" ").every((name) => names.has(name)));
  return profileNames.find((name) => has(profiles[name])) ?? "general";
}
