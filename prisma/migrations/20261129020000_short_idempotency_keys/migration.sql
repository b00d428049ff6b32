-- A key is stored as a digest of its scope and text, the request as a shorter digest, and the response as bytes.
-- Stored responses are converted: their calls can be repeated until they expire, after a day.
CREATE FUNCTION idempotency_digest(scope_ text, key_ text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN substring(sha256(convert_to(scope_ || ' ' || key_, 'UTF8')) FROM 1 FOR 16);

DROP INDEX "idempotency_keys_scope_key_key";
ALTER TABLE "idempotency_keys"
  ALTER COLUMN "key" TYPE BYTEA USING substring(sha256(convert_to("scope" || ' ' || "key", 'UTF8')) FROM 1 FOR 16),
  ALTER COLUMN "requestHash" TYPE BYTEA USING substring(decode("requestHash", 'hex') FROM 1 FOR 16),
  ALTER COLUMN "answer" TYPE BYTEA USING CASE WHEN "answer" = 'erased' THEN '\x'::bytea
    ELSE decode(replace(replace(substr("answer", 4), '-', '+'), '_', '/')
      || repeat('=', 3 - length("answer") % 4), 'base64') END;
ALTER TABLE "idempotency_keys" DROP COLUMN "scope";
ALTER TABLE "idempotency_keys" RENAME COLUMN "key" TO "digest";
ALTER TABLE "idempotency_keys" RENAME COLUMN "requestHash" TO "request";
ALTER TABLE "idempotency_keys" RENAME COLUMN "answer" TO "response";

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_keys_digest_key" ON "idempotency_keys"("digest");

-- Claims a key for the transaction; false when an earlier call has it. It fails while another transaction has the
-- key: statements that were sent behind it then fail at once, instead of waiting for the locks of that transaction.
DROP FUNCTION claim_idempotency_key(text, text, timestamptz, timestamptz);
CREATE FUNCTION claim_idempotency_key(digest_ bytea, answered_since timestamptz, claimed_since timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF digest_ IS NULL THEN
    RETURN true;
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended(encode(digest_, 'hex'), 0)) THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
  DELETE FROM idempotency_keys
  WHERE digest = digest_ AND CASE
    WHEN response IS NOT NULL THEN "createdAt" <= answered_since
    ELSE "createdAt" <= claimed_since OR is_process_alive("lockedBy") IS FALSE END;
  RETURN NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE digest = digest_);
END $$;
