/** The name shown for a deleted account. */
export const deletedAccountName = "Deleted user";

/** Whether an address only keeps the place of one that was forgotten with its account. */
export const isNobodys = (email: string) => email.endsWith("@deleted.invalid");
