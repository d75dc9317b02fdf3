-- Up Migration

-- Rate limits, usage limits and budgets of all gateways together (docs/decisions/0060-the-shared-store.md). A gateway asks for a
-- part of a limit before it needs it. The parts of all gateways are at most the limit, so it is never exceeded.
-- Locks: a function locks caps by id, after the gateway's row and accounts. It locks one rate at most, after all others.

SET LOCAL search_path = weir;

-- A sliding window of 60 seconds. The row is there to be locked.
CREATE TABLE rate (
  id text PRIMARY KEY
);

-- How many units a gateway may have in any 60 seconds.
CREATE TABLE rate_share (
  id text NOT NULL,
  gateway_id bigint NOT NULL,
  units bigint NOT NULL CHECK (units >= 0),
  -- The gateway has ended. Until this time its units may have been used in the last 60 seconds. By `store_ms`.
  frozen_until_ms bigint,
  PRIMARY KEY (id, gateway_id)
) WITH (fillfactor = 50);
CREATE INDEX rate_share_of_gateway ON rate_share (gateway_id, id);

-- A usage limit or a budget: a rolling window of 120 buckets, and the one that is leaving it. Micro-dollars, tokens or
-- requests.
CREATE TABLE cap (
  id text PRIMARY KEY,
  bucket_ms bigint NOT NULL CHECK (bucket_ms > 0),
  -- The newest bucket's number since 1970. It never goes back.
  newest_tick bigint NOT NULL DEFAULT 0,
  -- The sum of the buckets.
  used bigint NOT NULL DEFAULT 0 CHECK (used >= 0)
) WITH (fillfactor = 50);

CREATE TABLE cap_bucket (
  id text NOT NULL,
  tick bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  PRIMARY KEY (id, tick)
) WITH (fillfactor = 50);

-- What a gateway may use without asking. What is used leaves it in the flush that counts it.
CREATE TABLE cap_grant (
  id text NOT NULL,
  gateway_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (id, gateway_id)
) WITH (fillfactor = 50);
CREATE INDEX cap_grant_of_gateway ON cap_grant (gateway_id, id);

-- The time of limits, Unix milliseconds. Tests replace it.
CREATE FUNCTION store_ms() RETURNS bigint
LANGUAGE sql VOLATILE AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- How much is given to a gateway that needs `p_need` of what is free, and whose waiting requests could use `p_wish` in all.
-- Where plenty is free, it is more, but no more than `p_most`: the less is free, the less lies idle at one gateway.
CREATE FUNCTION given(p_need bigint, p_wish bigint, p_free bigint, p_most bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT greatest(p_need, least(p_free, greatest(p_wish, CASE WHEN p_free / 64 >= p_need THEN
    least(p_most, p_need + (p_free - p_need) / (8 * (SELECT count(*) FROM gateway WHERE state = 'live'))) END)))
$$;

-- Raises the gateway's share of a rate limit by `p_need` units at least, or not at all.
--
--   {"outcome": "granted", "units", "free", "own"}: `free` is left for all gateways
--   {"outcome": "scarce", …}: not so much is free; other gateways are asked to return what they don't use
--   {"outcome": "fenced" | "old_connection"}
CREATE FUNCTION grant_rate(p_gateway bigint, p_conn bigint, p_id text, p_need bigint, p_wish bigint, p_limit bigint)
RETURNS jsonb LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  may text := may_be_granted(p_gateway, p_conn);
  free bigint;
  amount bigint := 0;
  own bigint;
BEGIN
  IF may <> 'yes' THEN RETURN jsonb_build_object('outcome', may); END IF;
  IF p_need < 1 THEN RAISE 'a grant of % was asked for', p_need; END IF;
  LOOP
    PERFORM FROM rate WHERE id = p_id FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate (id) VALUES (p_id) ON CONFLICT DO NOTHING;
  END LOOP;
  DELETE FROM rate_share WHERE id = p_id AND frozen_until_ms <= store_ms();
  SELECT p_limit - coalesce(sum(units), 0) INTO free FROM rate_share WHERE id = p_id;
  IF free >= p_need THEN
    amount := given(p_need, p_wish, free, free);
    INSERT INTO rate_share AS s (id, gateway_id, units) VALUES (p_id, p_gateway, amount)
      ON CONFLICT (id, gateway_id) DO UPDATE SET units = s.units + excluded.units
      RETURNING s.units INTO own;
  ELSE
    SELECT units INTO own FROM rate_share WHERE id = p_id AND gateway_id = p_gateway;
    PERFORM pg_notify('weir_recall', 'rate ' || p_id);
  END IF;
  RETURN jsonb_build_object('outcome', CASE WHEN amount > 0 THEN 'granted' ELSE 'scarce' END, 'units', amount,
    'free', greatest(free - amount, 0), 'own', coalesce(own, 0));
END $$;

-- Locks a cap, a new one if there is none, and removes the buckets that have left its window. An amount counts for the window
-- at least, and one bucket longer at most.
CREATE FUNCTION advance_cap(p_id text, p_bucket_ms bigint) RETURNS cap
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  one cap;
  tick_now bigint;
  passed bigint;
BEGIN
  LOOP
    SELECT * INTO one FROM cap WHERE id = p_id FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO cap (id, bucket_ms) VALUES (p_id, p_bucket_ms) ON CONFLICT DO NOTHING;
  END LOOP;
  tick_now := store_ms() / one.bucket_ms;
  IF tick_now > one.newest_tick THEN
    WITH gone AS (DELETE FROM cap_bucket WHERE id = p_id AND tick < tick_now - 120 RETURNING amount)
      SELECT coalesce(sum(amount), 0) INTO passed FROM gone;
    one.newest_tick := tick_now;
    one.used := one.used - passed;
    UPDATE cap SET newest_tick = one.newest_tick, used = one.used WHERE id = p_id;
  END IF;
  RETURN one;
END $$;

-- Counts an amount in a cap that `advance_cap` has locked.
CREATE FUNCTION count_in_cap(p_cap cap, p_amount bigint) RETURNS void
LANGUAGE plpgsql SET search_path = weir AS $$
BEGIN
  IF p_amount <= 0 THEN RETURN; END IF;
  INSERT INTO cap_bucket AS b (id, tick, amount) VALUES (p_cap.id, p_cap.newest_tick, p_amount)
    ON CONFLICT (id, tick) DO UPDATE SET amount = b.amount + excluded.amount;
  UPDATE cap SET used = used + p_amount WHERE id = p_cap.id;
END $$;

-- Raises what the gateway may use of a cap by `p_need` at least, or not at all. A hard cap gives only what fits. A soft one
-- gives while what is used and granted is below the threshold: so one request may cross it, and then nothing is given.
-- `p_idle`: the part of the gateway's own grant that no request uses. The request that asks will use it, so it keeps no
-- request from crossing a soft cap.
--
--   {"outcome": "granted", "amount", "used", "granted", "own"}: `granted` and `own` after that; `used` counts in the window
--   {"outcome": "scarce", …, "wait_ms"}: other gateways are asked to return what they don't use. If they have nothing to
--     return, there is room at the earliest when so much time has passed
--   {"outcome": "fenced" | "old_connection"}
CREATE FUNCTION grant_cap(p_gateway bigint, p_conn bigint, p_id text, p_bucket_ms bigint, p_need bigint, p_wish bigint,
  p_threshold bigint, p_hard boolean, p_idle bigint)
RETURNS jsonb LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  may text := may_be_granted(p_gateway, p_conn);
  one cap;
  all_granted bigint;
  free bigint;
  own_idle bigint;
  fits bigint := CASE WHEN p_hard THEN p_need ELSE 1 END;
  amount bigint := 0;
  own bigint;
  wait_ms bigint := 0;
BEGIN
  IF may <> 'yes' THEN RETURN jsonb_build_object('outcome', may); END IF;
  IF p_need < 1 THEN RAISE 'a grant of % was asked for', p_need; END IF;
  one := advance_cap(p_id, p_bucket_ms);
  SELECT coalesce(sum(g.amount), 0), coalesce(sum(g.amount) FILTER (WHERE g.gateway_id = p_gateway), 0)
    INTO all_granted, own FROM cap_grant AS g WHERE g.id = p_id;
  free := p_threshold - one.used - all_granted;
  own_idle := CASE WHEN p_hard THEN 0 ELSE least(p_idle, own) END;
  IF free + own_idle >= fits THEN
    amount := given(p_need, p_wish, free, 8 * p_need);
    INSERT INTO cap_grant AS g (id, gateway_id, amount) VALUES (p_id, p_gateway, amount)
      ON CONFLICT (id, gateway_id) DO UPDATE SET amount = g.amount + excluded.amount
      RETURNING g.amount INTO own;
  ELSE
    wait_ms := room_after_ms(one, one.used + fits - p_threshold);
    PERFORM pg_notify('weir_recall', 'cap ' || p_id);
  END IF;
  RETURN jsonb_build_object('outcome', CASE WHEN amount > 0 THEN 'granted' ELSE 'scarce' END, 'amount', amount::text,
    'used', one.used::text, 'granted', (all_granted + amount)::text, 'own', own::text, 'wait_ms', wait_ms);
END $$;

-- Milliseconds until `p_excess` has left the window; 0: nothing has to leave. The whole window if so much is not in it.
CREATE FUNCTION room_after_ms(p_cap cap, p_excess bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT CASE WHEN p_excess <= 0 THEN 0 ELSE coalesce(
    (SELECT greatest((b.tick + 121) * p_cap.bucket_ms - store_ms(), 1)
      FROM (SELECT tick, sum(amount) OVER (ORDER BY tick) AS left_by_then FROM cap_bucket WHERE id = p_cap.id) AS b
      WHERE b.left_by_then >= p_excess ORDER BY b.tick LIMIT 1),
    120 * p_cap.bucket_ms) END
$$;

-- Counts what a flush has used of caps, and takes back what the gateway does not need any more:
--
--   "usage": [[cap, bucket_ms, used, what leaves the grant for it or unused]], "rates": [[rate, returned units]]
--
-- No more leaves a grant than is there. The gateway's row must be locked. Returns {cap: [used, granted, own]}.
CREATE FUNCTION flush_limits(p_gateway bigint, p_batch jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  -- The caps of the batch, by id.
  ids text[]; asked_ms bigint[]; amounts bigint[]; releases bigint[];
  locked text[]; buckets_ms bigint[]; ticks bigint[]; useds bigint[];
  advanced cap;
  caps jsonb := '{}';
  rate_ids text[]; rate_units bigint[];
BEGIN
  IF p_batch ? 'usage' THEN
    SELECT array_agg(u.id), array_agg(u.bucket_ms), array_agg(u.amount), array_agg(u.released)
      INTO ids, asked_ms, amounts, releases
      FROM (SELECT u ->> 0 AS id, max((u ->> 1)::bigint) AS bucket_ms, sum((u ->> 2)::bigint)::bigint AS amount,
          sum((u ->> 3)::bigint)::bigint AS released
        FROM jsonb_array_elements(p_batch -> 'usage') AS u GROUP BY u ->> 0 ORDER BY u ->> 0) AS u;
    -- New caps come first: who waits for the row of another's new cap has no lock yet that others wait for.
    LOOP
      INSERT INTO cap (id, bucket_ms) SELECT * FROM unnest(ids, asked_ms) ON CONFLICT DO NOTHING;
      SELECT array_agg(c.id), array_agg(c.bucket_ms), array_agg(c.newest_tick), array_agg(c.used)
        INTO locked, buckets_ms, ticks, useds
        FROM (SELECT * FROM cap WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE) AS c;
      -- Else one was removed in between.
      EXIT WHEN locked = ids;
    END LOOP;
    FOR k IN 1 .. cardinality(ids) LOOP
      IF store_ms() / buckets_ms[k] > ticks[k] THEN
        advanced := advance_cap(ids[k], buckets_ms[k]);
        ticks[k] := advanced.newest_tick;
        useds[k] := advanced.used;
      END IF;
      useds[k] := useds[k] + greatest(amounts[k], 0);
    END LOOP;
    WITH counted AS (
      INSERT INTO cap_bucket AS b (id, tick, amount)
        SELECT c.id, c.tick, c.amount FROM unnest(ids, ticks, amounts) AS c (id, tick, amount) WHERE c.amount > 0
        ON CONFLICT (id, tick) DO UPDATE SET amount = b.amount + excluded.amount
    ), summed AS (
      UPDATE cap SET used = useds[array_position(ids, id)] WHERE id = ANY (ids)
    ) UPDATE cap_grant SET amount = greatest(amount - releases[array_position(ids, id)], 0)
      WHERE id = ANY (ids) AND gateway_id = p_gateway;
    SELECT jsonb_object_agg(c.id,
        jsonb_build_array(c.used::text, coalesce(g.every, 0)::text, coalesce(g.own, 0)::text)) INTO caps
      FROM unnest(ids, useds) AS c (id, used)
      LEFT JOIN (SELECT id, sum(amount) AS every, sum(amount) FILTER (WHERE gateway_id = p_gateway) AS own
        FROM cap_grant WHERE id = ANY (ids) GROUP BY id) AS g ON g.id = c.id;
  END IF;
  IF p_batch ? 'rates' THEN
    SELECT array_agg(r.id), array_agg(r.units) INTO rate_ids, rate_units
      FROM (SELECT u ->> 0 AS id, sum((u ->> 1)::bigint)::bigint AS units
        FROM jsonb_array_elements(p_batch -> 'rates') AS u GROUP BY u ->> 0) AS r;
    UPDATE rate_share SET units = greatest(units - rate_units[array_position(rate_ids, id)], 0)
      WHERE id = ANY (rate_ids) AND gateway_id = p_gateway AND units > 0;
  END IF;
  RETURN caps;
END $$;

-- What a gateway has of limits: {"rates": {id: units}, "caps": {id: amount}}.
CREATE FUNCTION limits_of(p_gateway bigint) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT jsonb_build_object(
    'rates', coalesce((SELECT jsonb_object_agg(id, units) FROM rate_share WHERE gateway_id = p_gateway AND units > 0), '{}'),
    'caps', coalesce((SELECT jsonb_object_agg(id, amount::text) FROM cap_grant WHERE gateway_id = p_gateway AND amount > 0),
      '{}'))
$$;

-- Ends a gateway's part of limits. What it had of rates is kept for 61 seconds, because it may have used it just before. What
-- it had of caps is free again if it has left. If it was fenced, all of that counts as used: nobody knows how much its
-- last requests have used.
CREATE FUNCTION end_limits(p_gateway bigint, p_state text) RETURNS void
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  had record;
BEGIN
  FOR had IN
    SELECT g.id, g.amount, c.bucket_ms FROM cap_grant AS g JOIN cap AS c ON c.id = g.id
    WHERE g.gateway_id = p_gateway AND g.amount > 0 ORDER BY g.id
  LOOP
    PERFORM count_in_cap(advance_cap(had.id, had.bucket_ms), CASE p_state WHEN 'fenced' THEN had.amount ELSE 0 END);
  END LOOP;
  -- In the order in which `sweep_limits` takes such rows, for those whose caps and rates are not locked.
  PERFORM FROM cap_grant WHERE gateway_id = p_gateway ORDER BY id FOR UPDATE;
  DELETE FROM cap_grant WHERE gateway_id = p_gateway;
  PERFORM FROM rate_share WHERE gateway_id = p_gateway ORDER BY id FOR UPDATE;
  DELETE FROM rate_share WHERE gateway_id = p_gateway AND units = 0;
  UPDATE rate_share SET frozen_until_ms = store_ms() + 61000 WHERE gateway_id = p_gateway;
END $$;

-- What was used in the windows of caps, [[id, bucket_ms]]: {id: used}. What gateways have not flushed yet is not in it.
CREATE FUNCTION used_of_caps(p_caps jsonb) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT coalesce(jsonb_object_agg(c.id, (
    SELECT coalesce(sum(b.amount), 0)::text FROM cap_bucket AS b
    WHERE b.id = c.id AND b.tick >= greatest(c.newest_tick, store_ms() / c.bucket_ms) - 120)), '{}')
  FROM cap AS c WHERE c.id IN (SELECT one ->> 0 FROM jsonb_array_elements(p_caps) AS one)
$$;

-- Forgets caps: what was used, and what is granted of them.
CREATE FUNCTION forget_caps(p_ids text[]) RETURNS void
LANGUAGE plpgsql SET search_path = weir AS $$
BEGIN
  PERFORM FROM cap WHERE id = ANY (p_ids) ORDER BY id FOR UPDATE;
  DELETE FROM cap_grant WHERE id = ANY (p_ids);
  DELETE FROM cap_bucket WHERE id = ANY (p_ids);
  DELETE FROM cap WHERE id = ANY (p_ids);
END $$;

-- Removes rates and caps that count nothing any more, at most `p_max` of each. Returns how many.
CREATE FUNCTION sweep_limits(p_max integer) RETURNS integer
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  ids text[];
  removed integer;
  caps_removed integer;
BEGIN
  ids := ARRAY(SELECT c.id FROM cap AS c WHERE store_ms() / c.bucket_ms - 120 > c.newest_tick
    AND NOT EXISTS (SELECT FROM cap_grant AS g WHERE g.id = c.id AND g.amount > 0) LIMIT p_max);
  ids := ARRAY(SELECT id FROM cap WHERE id = ANY (ids) ORDER BY id FOR UPDATE SKIP LOCKED);
  -- A grant may have come until the lock was taken. None begins now.
  ids := ARRAY(SELECT c.id FROM cap AS c WHERE c.id = ANY (ids) AND store_ms() / c.bucket_ms - 120 > c.newest_tick
    AND NOT EXISTS (SELECT FROM cap_grant AS g WHERE g.id = c.id AND g.amount > 0));
  PERFORM FROM cap_grant WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  DELETE FROM cap_grant WHERE id = ANY (ids);
  DELETE FROM cap_bucket WHERE id = ANY (ids);
  DELETE FROM cap WHERE id = ANY (ids);
  GET DIAGNOSTICS caps_removed = ROW_COUNT;
  ids := ARRAY(SELECT r.id FROM rate AS r WHERE NOT EXISTS
    (SELECT FROM rate_share AS s WHERE s.id = r.id AND s.units > 0 AND coalesce(s.frozen_until_ms > store_ms(), true))
    LIMIT p_max);
  ids := ARRAY(SELECT id FROM rate WHERE id = ANY (ids) ORDER BY id FOR UPDATE SKIP LOCKED);
  PERFORM FROM rate_share WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  DELETE FROM rate_share AS s WHERE s.id = ANY (ids) AND (s.units = 0 OR s.frozen_until_ms <= store_ms());
  DELETE FROM rate AS r WHERE r.id = ANY (ids) AND NOT EXISTS (SELECT FROM rate_share AS s WHERE s.id = r.id);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed + caps_removed;
END $$;

-- Down Migration

DROP FUNCTION weir.sweep_limits, weir.forget_caps, weir.used_of_caps, weir.end_limits, weir.limits_of, weir.flush_limits,
  weir.room_after_ms, weir.grant_cap, weir.count_in_cap, weir.advance_cap, weir.grant_rate, weir.given, weir.store_ms;
DROP TABLE weir.cap_grant, weir.cap_bucket, weir.cap, weir.rate_share, weir.rate;
