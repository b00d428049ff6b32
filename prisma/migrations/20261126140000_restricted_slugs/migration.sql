-- A slug of a restricted board that can be guessed would tell its name to those who collide with it.
UPDATE boards SET slug = left(slug, 57) || '-' || substr(md5(random()::text || id), 1, 6)
WHERE visibility = 'restricted';
