-- Up Migration

-- What every gateway has a copy of (docs/decisions/0060-the-shared-store.md): the configuration with its changes, and the
-- log's key. Values are opaque here; the gateways agree on their form.

SET LOCAL search_path = weir;

-- How many changes there were.
CREATE TABLE config_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  seq bigint NOT NULL DEFAULT 0
);
INSERT INTO config_head DEFAULT VALUES;

-- The configuration as it stands: rows of the tables of src/store/embedded/tables.ts. Keys and values are JSON in columns of
-- text, because PostgreSQL's own types for it refuse \u0000, which the pattern of a policy may have.
CREATE TABLE config_row (
  name text NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (name, key)
);

-- The newest changes: the rows that each has written; a value that is null: the row was removed. Who is further behind reads
-- everything anew.
CREATE TABLE change (
  seq bigint PRIMARY KEY,
  names text[] NOT NULL,
  keys text[] NOT NULL,
  values text[] NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The name and the key of the audit log.
CREATE TABLE log_key (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  name text NOT NULL,
  private_key_pem text NOT NULL
);

-- Makes the log's name and key what is proposed, unless they are there. Returns what they are.
CREATE FUNCTION log_key(p_name text, p_private_key_pem text) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
BEGIN
  INSERT INTO log_key (name, private_key_pem) VALUES (p_name, p_private_key_pem) ON CONFLICT DO NOTHING;
  RETURN (SELECT jsonb_build_object('name', k.name, 'privateKeyPem', k.private_key_pem) FROM log_key AS k);
END $$;

-- Writes a change that was made on the configuration `p_based_on`, with its events.
--
--   {"outcome": "written", "seq"}
--   {"outcome": "behind", "seq"}: there are newer changes, and nothing was written
--   {"outcome": "fenced"}
CREATE FUNCTION change_configuration(p_gateway bigint, p_based_on bigint, p_names text[], p_keys text[], p_values text[],
  p_events text[]) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  head bigint;
BEGIN
  PERFORM FROM gateway WHERE id = p_gateway AND state = 'live' FOR KEY SHARE;
  IF NOT FOUND THEN RETURN '{"outcome": "fenced"}'; END IF;
  SELECT seq INTO head FROM config_head FOR NO KEY UPDATE;
  IF head <> p_based_on THEN RETURN jsonb_build_object('outcome', 'behind', 'seq', head); END IF;
  head := head + 1;
  UPDATE config_head SET seq = head;
  INSERT INTO change (seq, names, keys, values) VALUES (head, p_names, p_keys, p_values);
  DELETE FROM config_row AS c USING unnest(p_names, p_keys, p_values) AS r (name, key, value)
    WHERE c.name = r.name AND c.key = r.key AND r.value IS NULL;
  INSERT INTO config_row (name, key, value)
    SELECT r.* FROM unnest(p_names, p_keys, p_values) AS r (name, key, value) WHERE r.value IS NOT NULL
    ON CONFLICT (name, key) DO UPDATE SET value = excluded.value;
  DELETE FROM change WHERE seq <= head - 10000;
  PERFORM append_made(p_events);
  PERFORM pg_notify('weir_change', head::text);
  RETURN jsonb_build_object('outcome', 'written', 'seq', head);
END $$;

-- The changes after `p_after`, oldest first, at most `p_max`:
--
--   {"seq": the newest, "changes": [[seq, names, keys, values], …]}
--   {"seq", "changes": null}: they are not kept any more
CREATE FUNCTION changes_after(p_after bigint, p_max integer) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT jsonb_build_object('seq', h.seq, 'changes', CASE
    WHEN h.seq <= p_after THEN '[]'
    WHEN NOT EXISTS (SELECT FROM change WHERE seq = p_after + 1) THEN NULL
    ELSE (SELECT jsonb_agg(jsonb_build_array(c.seq, c.names, c.keys, c.values) ORDER BY c.seq)
      FROM (SELECT * FROM change WHERE seq > p_after ORDER BY seq LIMIT p_max) AS c)
  END) FROM config_head AS h
$$;

-- The whole configuration: {"seq", "rows": [[table, key, value], …]}
CREATE FUNCTION whole_configuration() RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT jsonb_build_object('seq', h.seq, 'rows',
    coalesce((SELECT jsonb_agg(jsonb_build_array(name, key, value)) FROM config_row), '[]'))
  FROM config_head AS h
$$;

-- Live gateways that do not act on the change `p_seq` yet.
CREATE FUNCTION gateways_behind(p_seq bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT count(*) FROM gateway WHERE state = 'live' AND config_seq < p_seq
$$;

-- How far the log is: {"runs", "size"}
CREATE FUNCTION log_head() RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT jsonb_build_object('runs', runs, 'size', size, 'waiting', EXISTS (SELECT FROM run WHERE place IS NULL))
  FROM log_head
$$;

-- Runs after the place `p_after`, in their order, at most `p_max` and about `p_bytes_max` bytes.
CREATE FUNCTION runs_after(p_after bigint, p_max integer, p_bytes_max bigint)
RETURNS TABLE (place bigint, first bigint, n integer, lines bytea, made text, operations bytea)
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT s.place, s.first, s.n, s.lines, s.made, s.operations FROM (
    SELECT r.*, sum(coalesce(length(r.lines), 0) + coalesce(length(r.made), 0) + coalesce(length(r.operations), 0))
      OVER (ORDER BY r.place) AS bytes
    FROM (SELECT * FROM run WHERE run.place > p_after ORDER BY run.place LIMIT p_max) AS r
  ) AS s WHERE s.bytes <= p_bytes_max OR s.place = p_after + 1 ORDER BY s.place
$$;

-- Writes events that belong to no flush. False: the gateway was fenced, and nothing is written.
CREATE FUNCTION append_events(p_gateway bigint, p_events text[]) RETURNS boolean
LANGUAGE plpgsql SET search_path = weir AS $$
BEGIN
  PERFORM FROM gateway WHERE id = p_gateway AND state = 'live' FOR KEY SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM append_made(p_events);
  RETURN true;
END $$;

-- Whether a crash of this server keeps what was committed.
CREATE FUNCTION is_durable() RETURNS boolean
LANGUAGE sql STABLE AS $$ SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' $$;

-- Down Migration

DROP FUNCTION weir.is_durable, weir.append_events, weir.runs_after, weir.log_head, weir.gateways_behind, weir.whole_configuration,
  weir.changes_after, weir.change_configuration, weir.log_key;
DROP TABLE weir.log_key, weir.change, weir.config_row, weir.config_head;
