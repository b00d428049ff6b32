-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN "lockedBy" INTEGER;

-- Locks the number of a process for the session; false when another session has it.
CREATE FUNCTION lock_process(number_ integer) RETURNS boolean LANGUAGE sql AS $$
  SELECT pg_try_advisory_lock(1214540630, number_)
$$;

-- Whether a session has the number of a process; NULL for NULL.
CREATE FUNCTION is_process_alive(number_ integer) RETURNS boolean LANGUAGE sql STRICT AS $$
  SELECT NOT pg_try_advisory_xact_lock_shared(1214540630, number_)
$$;

-- A claim without an answer is over when its process is: the session of its number has ended.
CREATE OR REPLACE FUNCTION claim_idempotency_key(
  scope_ text, key_ text, answered_since timestamptz, claimed_since timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF scope_ IS NULL THEN
    RETURN true;
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended(scope_ || ' ' || key_, 0)) THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
  DELETE FROM idempotency_keys
  WHERE scope = scope_ AND key = key_ AND CASE
    WHEN answer IS NOT NULL THEN "createdAt" <= answered_since
    ELSE "createdAt" <= claimed_since OR is_process_alive("lockedBy") IS FALSE END;
  RETURN NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE scope = scope_ AND key = key_);
END $$;

-- Locks a claim for the transaction; it fails when another call has taken the key over.
CREATE FUNCTION lock_idempotency_claim(id_ bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM idempotency_keys WHERE id = id_ FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The Idempotency-Key is in flight.' USING ERRCODE = 'WB001';
  END IF;
END $$;
