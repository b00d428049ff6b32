/** The people of the sample workspace. Ada creates it, the others join. */
export const people = {
  ada: { name: "Ada Brandt", email: "ada@example.com" },
  ben: { name: "Ben Osei", email: "ben@example.com" },
  cleo: { name: "Cleo Marin", email: "cleo@example.com" },
} as const;

/** A person by the key in `people`. */
export type SamplePerson = keyof typeof people;

/** A card of the sample workspace. `due` is in days from now. */
export type SampleCard = {
  title: string;
  description?: string;
  label?: string;
  members?: readonly SamplePerson[];
  due?: number;
  /** One of the `sizes` of the board. */
  size?: string;
  checklist?: readonly string[];
  comments?: readonly (readonly [SamplePerson, string])[];
};

/** A board of the sample workspace. The cards of the last list are complete. */
export type SampleBoard = {
  name: string;
  labels: readonly string[];
  /** The options of a custom field. */
  sizes?: readonly string[];
  /** Of lists the most cards. */
  limits?: Readonly<Record<string, number>>;
  lists: Readonly<Record<string, readonly SampleCard[]>>;
};
