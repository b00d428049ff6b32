/** What somebody is called whose account has been deleted. */
export const nobody = "Deleted user";

/** Whether an address only keeps the place of one that was forgotten with its account. */
export const isNobodys = (email: string) => email.endsWith("@deleted.invalid");
