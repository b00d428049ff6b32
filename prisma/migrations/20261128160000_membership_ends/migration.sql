-- What names a member ends with the membership: until now, items, values of fields and watchers stayed.
UPDATE checklist_items i SET "memberId" = NULL
FROM members m WHERE m.id = i."memberId" AND m.status = 'removed';
DELETE FROM card_field_values v
USING members m WHERE m.id = v."memberId" AND m.status = 'removed';
DELETE FROM card_watchers cw
USING cards c, members m
WHERE c.id = cw."cardId" AND m."workspaceId" = c."workspaceId" AND m."userId" = cw."userId"
  AND m.status = 'removed';
