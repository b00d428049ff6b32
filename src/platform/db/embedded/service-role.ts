import pg from "pg";

/** The role of the service in the embedded database: it owns the tables, and is not a superuser. */
const role = "boards";

// An arbitrary number for the advisory lock of starts at the same time.
const lock = 5_249_817_302;

/** SQL: the objects that the service owns: its schema, without the objects of extensions. */
const owned = `
  SELECT 'SCHEMA public' AS object, nspowner AS owner FROM pg_namespace WHERE nspname = 'public'
  UNION ALL
  SELECT format('%s %s', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
      WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass), c.relowner
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
      AND c.relkind IN ('r','p','v','m','S')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
        AND d.objid = c.oid AND d.deptype IN ('e', 'a', 'i'))
  UNION ALL
  SELECT format('%s %s', CASE p.prokind WHEN 'p' THEN 'PROCEDURE' WHEN 'a' THEN 'AGGREGATE'
      ELSE 'FUNCTION' END, p.oid::regprocedure), p.proowner
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
        AND d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('TYPE %s', t.oid::regtype), t.typowner
    FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('e', 'd')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass
        AND d.objid = t.oid AND d.deptype = 'e')`;

const prepare = (password: string) => `
  SELECT pg_advisory_xact_lock(${lock});
  DO $$
  DECLARE item record;
  BEGIN
    IF to_regrole('${role}') IS NULL THEN
      CREATE ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(password)};
      GRANT pg_read_all_stats TO ${role};
    END IF;
    EXECUTE format('GRANT CREATE, TEMPORARY ON DATABASE %I TO ${role}', current_database());
    FOR item IN SELECT object FROM (${owned}) AS o WHERE o.owner <> '${role}'::regrole LOOP
      EXECUTE format('ALTER %s OWNER TO ${role}', item.object);
    END LOOP;
  END $$`;

/**
 * The address of the embedded database for the service, whose role is not a superuser.
 *
 * The tables of older versions belong to the superuser: the role gets them.
 */
export async function addressOfService(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const address = new URL(url);
  try {
    await client.query(prepare(decodeURIComponent(address.password)));
  } finally {
    await client.end();
  }
  address.username = role;
  return address.href;
}
