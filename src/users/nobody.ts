/** What somebody is called whose account has been deleted. */
export const nobody = "Deleted user";
