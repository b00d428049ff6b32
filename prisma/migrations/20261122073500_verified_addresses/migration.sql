-- An address is verified when an issuer vouched for it, or its owner used a mailed invite code.
ALTER TABLE "users" ADD COLUMN "emailVerifiedAt" TIMESTAMPTZ(3);

UPDATE "users" u SET "emailVerifiedAt" = u."createdAt"
WHERE u."issuer" IS NOT NULL OR EXISTS (
  SELECT 1 FROM "members" m JOIN "invites" i ON i."memberId" = m.id AND i."uses" > 0
  WHERE m."userId" = u.id AND m."email" = u."email");
