/** The name shown for a deleted account. */
export const deletedAccountName = "Deleted user";

/** Whether an address is the placeholder of a deleted account. */
export const isDeletedAccountEmail = (email: string) => email.endsWith("@deleted.invalid");
