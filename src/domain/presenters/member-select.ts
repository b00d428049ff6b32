/** The columns that the view of a member needs. */
export const memberSelect = {
  id: true,
  publicId: true,
  email: true,
  status: true,
  version: true,
  createdAt: true,
  joinedAt: true,
  user: { select: { name: true, image: true, isService: true } },
  role: { select: { name: true, publicId: true } },
} as const;
