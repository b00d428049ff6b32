-- Claims an Idempotency-Key for the transaction; false when the answer of an earlier call is stored.
-- It fails while another transaction has the key: statements that were sent behind it then fail at
-- once, instead of waiting for the locks of that transaction.
CREATE FUNCTION claim_idempotency_key(
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
  WHERE scope = scope_ AND key = key_ AND "createdAt" <=
    CASE WHEN answer IS NULL THEN claimed_since ELSE answered_since END;
  RETURN NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE scope = scope_ AND key = key_);
END $$;
