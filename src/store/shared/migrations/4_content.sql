-- Up Migration

-- The readable content of requests, and its erasing (docs/decisions/0060-the-shared-store.md). All times are those of
-- this server's clock. Rows are removed one by one, along `content_by_age`, a bounded number at a time: organizations
-- keep their content for different times, so whole days are seldom over for all of them; and partitions by day would
-- have to be made and dropped while gateways run, by an owner of the table, under locks that stop everybody.
-- No constraint here can fail on a value, because PostgreSQL would write the row into its log.

SET LOCAL search_path = weir;

CREATE TABLE content (
  org_id text,
  request_id text,
  created_at timestamptz,
  -- The newest erasure that its gateway knew of when it was kept.
  erasure bigint,
  -- As src/store/content/content.ts packs it.
  value bytea,
  PRIMARY KEY (org_id, request_id)
);
CREATE INDEX content_by_age ON content (org_id, created_at);

-- Erasures that have begun. Content that was kept before one may still be on its way in a gateway's memory, so they are
-- remembered after their end.
CREATE TABLE content_erasure (
  number bigint PRIMARY KEY,
  -- The id of the request that asks for it.
  id text NOT NULL UNIQUE,
  org_id text NOT NULL,
  -- null: all requests of the organization.
  request_id text,
  -- The index of the event that named the request; null: none.
  index bigint,
  by_key_id text NOT NULL,
  begun_at timestamptz NOT NULL,
  -- How much was removed so far.
  records bigint NOT NULL DEFAULT 0,
  ended boolean NOT NULL DEFAULT false
);
CREATE INDEX content_erasure_of_org ON content_erasure (org_id, number);

CREATE TABLE content_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- The newest erasure.
  erasure bigint NOT NULL DEFAULT 0,
  -- The newest erasure that is not remembered any more.
  forgotten bigint NOT NULL DEFAULT 0
);
INSERT INTO content_head DEFAULT VALUES;

CREATE FUNCTION content_now() RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() $$;

-- Keeps content: [[organization, request, age in milliseconds, newest erasure known when it was kept, bytes], …] and the
-- values, one behind the other. A request that has content already gets the new one. Content from before an erasure that
-- takes it is dropped, and all that is so old that this is not known any more:
--
--   {"kept", "erasure": the newest one}
CREATE FUNCTION keep_content(p_rows jsonb, p_values bytea) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  head content_head;
  kept bigint;
BEGIN
  -- An erasure waits until this is committed, and then finds its rows.
  SELECT * INTO head FROM content_head FOR SHARE;
  INSERT INTO content AS c (org_id, request_id, created_at, erasure, value)
    SELECT DISTINCT ON (given.org, given.request) given.org, given.request,
      content_now() - given.age_ms * interval '1 millisecond', given.known,
      substring(p_values FROM given.first::integer FOR given.bytes)
    FROM (
      SELECT r ->> 0 AS org, r ->> 1 AS request, (r ->> 2)::double precision AS age_ms, (r ->> 3)::bigint AS known,
        (r ->> 4)::integer AS bytes, place,
        1 + sum((r ->> 4)::integer) OVER (ORDER BY place) - (r ->> 4)::integer AS first
      FROM jsonb_array_elements(p_rows) WITH ORDINALITY AS rows (r, place)
    ) AS given
    WHERE given.known >= head.forgotten AND NOT EXISTS (
      SELECT FROM content_erasure AS e WHERE e.org_id = given.org AND e.number > given.known
        AND coalesce(e.request_id, given.request) = given.request)
    ORDER BY given.org, given.request, given.place DESC
  ON CONFLICT (org_id, request_id) DO UPDATE
    SET created_at = excluded.created_at, erasure = excluded.erasure, value = excluded.value;
  GET DIAGNOSTICS kept = ROW_COUNT;
  RETURN jsonb_build_object('kept', kept, 'erasure', head.erasure);
END $$;

-- The content of a request; null: there is none, or it is older than so many days.
CREATE FUNCTION read_content(p_org text, p_request text, p_days integer) RETURNS bytea
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT value FROM content WHERE org_id = p_org AND request_id = p_request
    AND created_at >= content_now() - p_days * interval '24 hours'
$$;

-- Begins an erasure. From its commit on no content from before is kept that it takes. Returns its number; it may be
-- called again.
CREATE FUNCTION begin_erasure(p_id text, p_org text, p_request text, p_index bigint, p_by text) RETURNS bigint
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  newest bigint;
  known bigint;
BEGIN
  UPDATE content_head SET erasure = erasure + 1 RETURNING erasure INTO newest;
  SELECT e.number INTO known FROM content_erasure AS e WHERE e.id = p_id;
  IF FOUND THEN RETURN known; END IF;
  INSERT INTO content_erasure (number, id, org_id, request_id, index, by_key_id, begun_at)
  VALUES (newest, p_id, p_org, p_request, p_index, p_by, content_now());
  RETURN newest;
END $$;

-- Removes at most `p_max` contents that an erasure takes. With the last one it writes the event, once:
--
--   {"ended", "records": how many it has removed, with those of the calls before}
--   null: it is not known any more
CREATE FUNCTION erase_content(p_id text, p_max integer) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  erasing content_erasure;
  removed bigint;
BEGIN
  SELECT * INTO erasing FROM content_erasure WHERE id = p_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF NOT erasing.ended THEN
    DELETE FROM content WHERE (org_id, request_id) IN (
      SELECT c.org_id, c.request_id FROM content AS c
      WHERE c.org_id = erasing.org_id AND c.erasure < erasing.number
        AND coalesce(erasing.request_id, c.request_id) = c.request_id
      -- Rows that somebody else has removed meanwhile don't count.
      ORDER BY c.request_id LIMIT p_max FOR UPDATE);
    GET DIAGNOSTICS removed = ROW_COUNT;
    erasing.records := erasing.records + removed;
    erasing.ended := removed < p_max;
    UPDATE content_erasure SET records = erasing.records, ended = erasing.ended WHERE id = p_id;
    IF erasing.ended THEN
      PERFORM append_made(ARRAY[event_line('content.erased', 'Readable content was erased.', erasing.org_id, p_id,
        now_text(), '"index":' || coalesce(erasing.index::text, 'null') || ',"records":' || erasing.records
          || ',"by_key_id":' || to_json(erasing.by_key_id), NULL)]);
    END IF;
  END IF;
  RETURN jsonb_build_object('ended', erasing.ended, 'records', erasing.records);
END $$;

-- Erasures that have not ended, oldest first, at most `p_max`.
CREATE FUNCTION erasures_left(p_max integer) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT coalesce(jsonb_agg(id ORDER BY number), '[]')
  FROM (SELECT id, number FROM content_erasure WHERE NOT ended ORDER BY number LIMIT p_max) AS e
$$;

-- Removes content that is older than `p_days`, or than an organization's own days ({organization: days}): at most
-- `p_rows` rows, and in at most `p_orgs` organizations after `p_after`:
--
--   {"removed", "next": the `p_after` of the next call; null: this was the last one, "erasure": the newest one}
CREATE FUNCTION reap_content(p_after text, p_days integer, p_own jsonb, p_rows integer, p_orgs integer) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  org text := p_after;
  behind text;
  removed bigint := 0;
  here bigint;
  at timestamptz := content_now();
BEGIN
  FOR looked IN 1 .. p_orgs LOOP
    SELECT min(org_id) INTO behind FROM content WHERE org_id > org;
    IF behind IS NULL THEN
      -- Who has removed rows may not wait for the head, because who keeps content waits for rows.
      EXIT WHEN removed > 0;
      PERFORM forget_erasures(at);
      RETURN jsonb_build_object('removed', removed, 'next', NULL, 'erasure', (SELECT erasure FROM content_head));
    END IF;
    DELETE FROM content WHERE (org_id, request_id) IN (
      SELECT c.org_id, c.request_id FROM content AS c WHERE c.org_id = behind
        AND c.created_at < at - coalesce((p_own ->> behind)::integer, p_days) * interval '24 hours'
      ORDER BY c.created_at LIMIT p_rows - removed FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS here = ROW_COUNT;
    removed := removed + here;
    -- This organization may have more.
    EXIT WHEN removed = p_rows;
    org := behind;
  END LOOP;
  RETURN jsonb_build_object('removed', removed, 'next', org, 'erasure', (SELECT erasure FROM content_head));
END $$;

-- Forgets erasures that have ended and are older than a day, with all before them. A gateway that was away for longer
-- keeps nothing of what it has from then.
CREATE FUNCTION forget_erasures(p_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE last bigint;
BEGIN
  SELECT max(number) INTO last FROM content_erasure
    WHERE begun_at < p_at - interval '24 hours'
      AND number < coalesce((SELECT min(number) FROM content_erasure WHERE NOT ended), number + 1);
  IF last IS NULL THEN RETURN; END IF;
  UPDATE content_head SET forgotten = last;
  DELETE FROM content_erasure WHERE number <= last;
END $$;

-- Down Migration

DROP FUNCTION weir.forget_erasures, weir.reap_content, weir.erasures_left, weir.erase_content, weir.begin_erasure,
  weir.read_content, weir.keep_content, weir.content_now;
DROP TABLE weir.content_head, weir.content_erasure, weir.content;
