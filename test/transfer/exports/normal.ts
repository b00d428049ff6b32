type Any = any;

/** Every id of a document, in the order in which they come. */
function idsOf(document: Any): string[] {
  const ids = new Set<string>();
  const walk = (value: Any, key: string) => {
    if (typeof value === "string" && /PublicIds?$|^publicId$/.test(key)) ids.add(value);
    else if (Array.isArray(value)) for (const one of value) walk(one, key);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) {
        // Values of custom fields are by the ids of the fields, also of deleted ones in histories.
        if (key === "fields") ids.add(name);
        walk(one, name);
      }
  };
  walk(document, "");
  return [...ids];
}

/**
 * A document with its ids numbered in all fields, and without what belongs to the export itself.
 */
export function numbered(document: Any): Any {
  const numbers = new Map(idsOf(document).map((id, index) => [id, `#${index}#`]));
  const text = JSON.stringify({ ...document, exportedAt: "" });
  return JSON.parse(
    text.replace(/(?<![0-9a-z])[0-9a-z]{12}(?![0-9a-z])/g, (id) => numbers.get(id) ?? id),
  );
}

/** A document without what an import changes on purpose: slug, moments of members, authors. */
export function normal(document: Any, importer: { email: string }, withFiles: boolean): Any {
  const whole = structuredClone(document);
  const mine = whole.members.find((member: Any) => member.email === importer.email)?.publicId;
  Object.assign(whole.workspace, { slug: "", createdAt: "", updatedAt: "" });
  for (const member of whole.members) {
    if (member.publicId === mine) Object.assign(member, { joinedAt: "", createdAt: "" });
    else Object.assign(member, { name: "", status: "", joinedAt: "" });
  }
  for (const card of whole.cards) {
    for (const { author } of card.comments) author.memberPublicId = null;
    for (const { actor } of card.activity) actor.publicId = null;
    if (!withFiles) for (const attachment of card.attachments) attachment.file = null;
  }
  return numbered(whole);
}
