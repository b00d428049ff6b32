/** What is read of a member to show it. */
export const memberSelect = {
  id: true,
  publicId: true,
  email: true,
  status: true,
  version: true,
  createdAt: true,
  joinedAt: true,
  user: { select: { name: true, image: true } },
  role: { select: { name: true, publicId: true } },
} as const;
