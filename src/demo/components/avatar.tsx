/** Somebody who is shown: their colour comes from their id. */
export type Person = { publicId?: string | null; name: string };

/** A step of twelve hues that an id always has. */
function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return hash % 12;
}

type Props = {
  person: Person;
  /** Whether no name stands beside it. */
  isAlone?: boolean;
};

/** The initials of a person, in the person's colour. */
export function Avatar({ person: { publicId, name }, isAlone = false }: Props) {
  const initials = name
    .split(" ")
    .map((word) => Array.from(word)[0])
    .slice(0, 2)
    .join("");
  const label = isAlone ? ({ role: "img", "aria-label": name } as const) : { "aria-hidden": true };
  return (
    <span
      className={`avatar hue-${hueOf(publicId ?? name)}`}
      title={name}
      // A style shows them: they are no text, which a screen reader would spell.
      data-initials={initials}
      {...label}
    />
  );
}
