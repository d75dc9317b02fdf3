-- Up Migration

-- Gateways, the money of organizations and the audit log (docs/decisions/0060-the-shared-store.md). Amounts are micro-dollars; in JSON they are
-- decimal texts, because they may be larger than what a JavaScript number holds. All writing goes
-- through the functions below: one call is one transaction, so no gateway that stands still ever holds a lock.
-- Locks are always taken in this order: the gateway's row, accounts by organization, caps by id, one rate (2_limits.sql), the
-- head of the log.

CREATE SCHEMA IF NOT EXISTS weir;
SET LOCAL search_path = weir;

-- One row for each start of a process. A fenced gateway never writes again under its id.
CREATE TABLE gateway (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  release text NOT NULL,
  config_hash text NOT NULL,
  -- The last flush that was applied. It is also the heartbeat.
  flush_seq bigint NOT NULL DEFAULT 0,
  -- The answer to that flush, for a gateway whose answer was lost.
  reply jsonb,
  -- The newest connection that asks for allowances. Grants of older ones are refused.
  conn bigint NOT NULL DEFAULT 0,
  -- The configuration that the gateway acts on.
  config_seq bigint NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'fenced', 'left')),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

CREATE TABLE account (
  org_id text PRIMARY KEY,
  balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
  -- What the gateways may spend without asking: the sum of the organization's rows in `escrow`.
  escrowed bigint NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0,
  CHECK (escrowed BETWEEN 0 AND balance)
) WITH (fillfactor = 50);

CREATE TABLE escrow (
  org_id text NOT NULL,
  gateway_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (org_id, gateway_id)
) WITH (fillfactor = 50);
CREATE INDEX escrow_of_gateway ON escrow (gateway_id, org_id);

-- An item of a batch job may be held for by two gateways: one was given up, and is still at it. Each knows of its own alone.
CREATE TABLE hold (
  request_id text NOT NULL,
  org_id text NOT NULL,
  gateway_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  -- Who asked for it: {"apiKeyId", "team"}.
  payer jsonb,
  PRIMARY KEY (request_id, gateway_id)
);
CREATE INDEX hold_of_gateway ON hold (gateway_id);

-- `detail`: what an entry tells besides its amounts (catalog version, usage).
CREATE TABLE ledger (
  org_id text NOT NULL,
  number bigint NOT NULL,
  type text NOT NULL CHECK (type IN ('debit', 'top_up', 'correction')),
  -- Taken by a debit, else added.
  amount bigint NOT NULL,
  balance_after bigint NOT NULL CHECK (balance_after >= 0),
  idempotency_key text NOT NULL,
  request_id text,
  created_at text NOT NULL,
  detail jsonb,
  PRIMARY KEY (org_id, number),
  UNIQUE (org_id, idempotency_key)
);

-- A debit on its way into the ledger. It is a type of its own, because the ledger may get columns while `flush` is called.
CREATE TYPE new_entry AS (
  org_id text, number bigint, amount bigint, balance_after bigint, request_id text, created_at text, detail jsonb
);

-- `month`: such as 2026-11, UTC.
CREATE TABLE ledger_month (
  org_id text NOT NULL,
  month text NOT NULL,
  debits bigint NOT NULL DEFAULT 0,
  top_ups bigint NOT NULL DEFAULT 0,
  corrections bigint NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, month)
) WITH (fillfactor = 50);

-- What requests that were served still owe.
CREATE TABLE debt (
  org_id text NOT NULL,
  request_id text NOT NULL,
  cost bigint NOT NULL CHECK (cost > 0),
  owed_at text NOT NULL,
  payer jsonb,
  detail jsonb,
  PRIMARY KEY (org_id, request_id)
);
CREATE INDEX debt_by_age ON debt (org_id, owed_at, request_id);

-- Items of batch jobs that have ended with a debit. Two gateways may have run one.
CREATE TABLE job_item_end (
  job_id text NOT NULL,
  item integer NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (job_id, item)
);
CREATE INDEX job_item_end_by_age ON job_item_end (ended_at);

-- The events of one flush, in order. They are durable here at once, and get their places in the log soon after.
-- Runs of gateway 0 were written by the store itself.
CREATE TABLE run (
  gateway_id bigint NOT NULL,
  seq bigint NOT NULL,
  -- Its number among all runs, from 1 without a gap; null: it has no place yet.
  place bigint,
  -- The index of its first event in the log; null: it has no place yet.
  first bigint,
  n integer NOT NULL CHECK (n >= 0),
  -- The gateway's events: canonical lines, joined by line breaks, compressed by zstd.
  lines bytea,
  -- Events that the store wrote, because it alone knows the balance after a debit. They follow the others.
  made text,
  -- RFC 6962 hashes of all n events, 32 bytes each.
  leaves bytea NOT NULL,
  -- What every gateway applies to its copy, as the gateway has encoded it.
  operations bytea,
  PRIMARY KEY (gateway_id, seq),
  CHECK (length(leaves) = 32 * n)
);
ALTER TABLE run ALTER COLUMN lines SET STORAGE EXTERNAL;
ALTER TABLE run ALTER COLUMN operations SET STORAGE EXTERNAL;
CREATE INDEX run_waiting ON run (gateway_id, seq) WHERE place IS NULL;
CREATE UNIQUE INDEX run_by_place ON run (place) WHERE place IS NOT NULL;
CREATE SEQUENCE store_run;

CREATE TABLE log_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Events.
  size bigint NOT NULL DEFAULT 0,
  runs bigint NOT NULL DEFAULT 0
);
INSERT INTO log_head DEFAULT VALUES;

-- The Merkle tree in tiles of 256 hashes, as src/store/audit/merkle-tree.ts has it.
CREATE TABLE tile (
  level integer NOT NULL,
  i bigint NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (level, i)
) WITH (fillfactor = 50);
ALTER TABLE tile ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- The functions down to `append_made` are called for each debit. PostgreSQL puts the body of a function in SQL in the place of
-- the call, which is cheap. It does not do that if the function is STRICT and its body is not, or if the function is
-- IMMUTABLE and calls one that is not. Then it plans the body anew for each call.

-- 1234567 → 1.234567
CREATE FUNCTION usd(amount bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN amount < 0 THEN '-' ELSE '' END
    || (abs(amount) / 1000000)::text || '.' || lpad((abs(amount) % 1000000)::text, 6, '0')
$$;

-- Whole cents of an amount that is not below zero, as `centsDown` and `centsUp` have them.
CREATE FUNCTION cents_down(amount bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT amount / 10000 $$;
CREATE FUNCTION cents_up(amount bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT (amount + 9999) / 10000 $$;

CREATE FUNCTION now_text() RETURNS text
LANGUAGE sql VOLATILE AS $$
  SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- A canonical event, as `canonicalEvent` writes it. `members` is the text of its data, without the braces and without who
-- asked for the request.
CREATE FUNCTION event_line(
  event_type text, message text, org_id text, request_id text, created_at text, members text, payer jsonb
)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"event_type":' || to_json(event_type) || ',"message":' || to_json(message)
    || ',"org_id":' || to_json(org_id) || ',"request_id":' || coalesce(to_json(request_id)::text, 'null')
    || ',"created_at":' || to_json(created_at) || ',"data":{' || members
    || CASE WHEN jsonb_typeof(payer) = 'object' THEN ',"api_key_id":' || to_json(payer ->> 'apiKeyId')
      || coalesce(',"team":' || to_json(payer ->> 'team'), '') ELSE '' END || '}}'
$$;

CREATE FUNCTION debit_applied_line(org_id text, request_id text, cost bigint, balance bigint, at text, payer jsonb)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT event_line('payg.debit.applied', 'The exact cost was debited.', org_id, request_id, at,
    '"costUsd":"' || usd(cost) || '","balanceAfterUsd":"' || usd(balance) || '"', payer)
$$;

CREATE FUNCTION debit_skipped_line(org_id text, request_id text, cost bigint, balance bigint, at text, payer jsonb)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT event_line('payg.debit.insufficient_balance',
    'The balance did not cover the cost of a request that was served; it is owed.', org_id, request_id, at,
    '"balanceCents":' || cents_down(balance) || ',"requiredCents":' || cents_up(cost)
      || ',"costUsd":"' || usd(cost) || '"', payer)
$$;

CREATE FUNCTION debit_recovered_line(org_id text, request_id text, cost bigint, balance bigint, at text, payer jsonb)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT event_line('payg.debit.recovered', 'A cost that was owed was debited.', org_id, request_id, at,
    '"costUsd":"' || usd(cost) || '","balanceAfterUsd":"' || usd(balance) || '"', payer)
$$;

CREATE FUNCTION hold_expired_line(org_id text, request_id text, amount bigint, at text, payer jsonb)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT event_line('payg.hold.expired', 'The reservation ended without a settlement.', org_id, request_id, at,
    '"amountUsd":"' || usd(amount) || '","reason":"outcome_unknown"', payer)
$$;

CREATE FUNCTION entry_refused_line(org_id text, request_id text, type text, amount bigint, key text, at text)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT event_line('payg.entry.refused', 'An entry of the books was refused; what it moved was taken back.',
    org_id, request_id, at,
    '"reason":"duplicate_key","type":' || to_json(type) || ',"amountUsd":"' || usd(amount)
      || '","idempotencyKey":' || to_json(key), NULL)
$$;

CREATE FUNCTION topped_up_line(org_id text, type text, amount bigint, balance bigint, key text, at text)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT event_line(CASE type WHEN 'top_up' THEN 'payg.topup' ELSE 'payg.correction' END,
    CASE type WHEN 'top_up' THEN 'The balance was topped up.' ELSE 'The balance was corrected.' END,
    org_id, NULL, at,
    '"amountUsd":"' || usd(amount) || '","balanceAfterUsd":"' || usd(balance)
      || '","idempotencyKey":' || to_json(key), NULL)
$$;

-- RFC 6962 leaf hashes of lines, one after the other. In PL/pgSQL, because a query in SQL would be planned for each call.
CREATE FUNCTION leaf_hashes(made text[]) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN coalesce((SELECT string_agg(sha256('\x00'::bytea || convert_to(line, 'UTF8')), ''::bytea ORDER BY place)
    FROM unnest(made) WITH ORDINALITY AS made_lines (line, place)), '');
END $$;

-- Writes events of the store itself, if there are any.
CREATE FUNCTION append_made(made text[]) RETURNS void
LANGUAGE plpgsql SET search_path = weir AS $$
BEGIN
  IF cardinality(made) = 0 THEN RETURN; END IF;
  INSERT INTO run (gateway_id, seq, n, made, leaves)
  VALUES (0, nextval('store_run'), cardinality(made), array_to_string(made, E'\n'), leaf_hashes(made));
END $$;

-- A process begins. Returns its id.
CREATE FUNCTION join_cluster(p_name text, p_release text, p_config_hash text) RETURNS bigint
LANGUAGE sql SET search_path = weir AS $$
  INSERT INTO gateway (name, release, config_hash) VALUES (p_name, p_release, p_config_hash) RETURNING id
$$;

-- Opens an account with nothing on it, if there is none.
CREATE FUNCTION open_account(p_org text) RETURNS void
LANGUAGE plpgsql SET search_path = weir AS $$
BEGIN
  INSERT INTO account (org_id) VALUES (p_org) ON CONFLICT DO NOTHING;
  IF FOUND THEN PERFORM pg_notify('weir_account', p_org); END IF;
END $$;

-- Everything that a gateway writes goes through here, one batch after the other. A member that would be empty is left out:
--
--   {"unholds": [request id], "holds": [[request id, organization, amount, by]],
--    "orgs": [the organizations of debits and returns, each once],
--    "debits": [{"org", "request", "by", "cost", "paid", "at", "detail", "job", "item", "again"}],
--    "returns": [[organization, amount]],
--    "usage", "rates": as `flush_limits` takes them}
--
-- `paid` is how much of a debit's cost the gateway sets aside from its escrow. The rest is taken from what nobody has in
-- escrow. If that does not cover it, nothing is debited, the whole cost is owed, and `paid` stays in the escrow.
--
-- A batch with the number after the last one is applied. The last one again is not, and has the answer of before. The
-- answer:
--
--   {"outcome": "applied", "seq", "owed": [request id], "refused": [request id],
--    "accounts": {organization: [balance, escrowed, own escrow]}, "caps": {cap: [used, granted, own]}}
--   {"outcome": "fenced", "last"}: nothing is written under this id ever again. `last` is the answer to the last flush that
--     was applied, so that the gateway knows what it must send again under a new id
--   {"outcome": "gap", "seq": the last one applied}: the store has lost batches, or the gateway has
--
-- `refused` are debits of requests that have an entry or a debt already; the one before stands. `again` marks a debit of a
-- request that the batch has debited before.
--
-- The number of statements is the same for one debit and for many, of one organization or of many, because a statement costs
-- more than a row. Only a debt and an item's end take one each.
CREATE FUNCTION flush(p_gateway bigint, p_seq bigint, p_config_seq bigint, p_batch jsonb, p_lines bytea, p_leaves bytea,
  p_operations bytea)
RETURNS jsonb LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  last_seq bigint;
  last_state text;
  last_reply jsonb;
  -- The batch's accounts: what was in them when they were locked, less what the batch has moved since. `takens`: what has
  -- left this gateway's escrow.
  orgs text[]; balances bigint[]; escrows bigint[]; counts bigint[]; takens bigint[];
  debit record;
  k integer;
  debited new_entry[] := '{}';
  not_had bigint;
  accounts jsonb := '{}';
  caps jsonb := '{}';
  owed text[] := '{}';
  refused text[] := '{}';
  made text[] := '{}';
  n integer := coalesce(length(p_leaves), 0) / 32;
  answer jsonb;
BEGIN
  SELECT flush_seq, state INTO last_seq, last_state FROM gateway WHERE id = p_gateway FOR NO KEY UPDATE;
  IF last_state IS DISTINCT FROM 'live' OR last_seq <> p_seq - 1 THEN
    SELECT reply INTO last_reply FROM gateway WHERE id = p_gateway;
    IF last_state IS DISTINCT FROM 'live' THEN RETURN jsonb_build_object('outcome', 'fenced', 'last', last_reply); END IF;
    IF last_seq = p_seq AND last_reply IS NOT NULL THEN RETURN last_reply; END IF;
    RETURN jsonb_build_object('outcome', 'gap', 'seq', last_seq);
  END IF;

  IF p_batch ? 'unholds' THEN
    DELETE FROM hold WHERE request_id = ANY (ARRAY(SELECT jsonb_array_elements_text(p_batch -> 'unholds')))
      AND gateway_id = p_gateway;
  END IF;
  IF p_batch ? 'holds' THEN
    INSERT INTO hold (request_id, org_id, gateway_id, amount, payer)
      SELECT h ->> 0, h ->> 1, p_gateway, (h ->> 2)::bigint, h -> 3 FROM jsonb_array_elements(p_batch -> 'holds') AS h;
  END IF;

  IF p_batch ?| '{debits,returns}' THEN
    SELECT array_agg(a.org_id), array_agg(a.balance), array_agg(a.escrowed), array_agg(a.entries), array_agg(0::bigint)
      INTO orgs, balances, escrows, counts, takens
      FROM (SELECT * FROM account WHERE org_id = ANY (ARRAY(SELECT jsonb_array_elements_text(p_batch -> 'orgs')))
        ORDER BY org_id FOR NO KEY UPDATE) AS a;

    -- Not with EXISTS: for a ledger that is still small, PostgreSQL would plan to read all of it.
    FOR debit IN
      SELECT d.org, d.request, d.cost, d.paid, d.at, d.by AS payer, d.detail, d.job, d.item,
        coalesce(d.again,
          (SELECT true FROM ledger AS l WHERE l.org_id = d.org AND l.idempotency_key = d.request LIMIT 1),
          (SELECT true FROM debt AS o WHERE o.org_id = d.org AND o.request_id = d.request LIMIT 1), false) AS is_known
      FROM jsonb_to_recordset(p_batch -> 'debits') AS d (org text, request text, cost bigint, paid bigint, at text,
        by jsonb, detail jsonb, job text, item integer, again boolean)
    LOOP
      IF debit.job IS NOT NULL THEN
        INSERT INTO job_item_end (job_id, item) VALUES (debit.job, debit.item) ON CONFLICT DO NOTHING;
        -- Another gateway has ended it, and was paid for that.
        IF NOT FOUND THEN
          refused := refused || debit.request;
          CONTINUE;
        END IF;
      END IF;
      IF debit.is_known THEN
        refused := refused || debit.request;
        made := made || entry_refused_line(debit.org, debit.request, 'debit', debit.cost, debit.request, debit.at);
        CONTINUE;
      END IF;
      IF debit.paid < 0 OR debit.paid > debit.cost THEN
        RAISE 'the gateway % pays % of %', p_gateway, debit.paid, debit.cost;
      END IF;
      k := array_position(orgs, debit.org);
      IF k IS NULL THEN RAISE 'the organization % has no account', debit.org; END IF;
      IF debit.cost - debit.paid > balances[k] - escrows[k] THEN
        INSERT INTO debt (org_id, request_id, cost, owed_at, payer, detail)
        VALUES (debit.org, debit.request, debit.cost, debit.at, debit.payer, debit.detail);
        owed := owed || debit.request;
        made := made || debit_skipped_line(debit.org, debit.request, debit.cost, balances[k], debit.at, debit.payer);
        CONTINUE;
      END IF;
      balances[k] := balances[k] - debit.cost;
      escrows[k] := escrows[k] - debit.paid;
      takens[k] := takens[k] + debit.paid;
      counts[k] := counts[k] + 1;
      debited := debited || ROW(debit.org, counts[k], debit.cost, balances[k], debit.request, debit.at,
        debit.detail)::new_entry;
      made := made || debit_applied_line(debit.org, debit.request, debit.cost, balances[k], debit.at, debit.payer);
    END LOOP;
    IF p_batch ? 'returns' THEN
      FOR debit IN SELECT r ->> 0 AS org, (r ->> 1)::bigint AS amount FROM jsonb_array_elements(p_batch -> 'returns') AS r
      LOOP
        k := array_position(orgs, debit.org);
        IF k IS NULL THEN RAISE 'the organization % has no account', debit.org; END IF;
        escrows[k] := escrows[k] - debit.amount;
        takens[k] := takens[k] + debit.amount;
      END LOOP;
    END IF;

    -- Tables are not joined with the arrays, because a plan for few rows would read all rows of this gateway.
    WITH entry AS (SELECT * FROM unnest(debited)), written AS (
      INSERT INTO ledger (org_id, number, type, amount, balance_after, idempotency_key, request_id, created_at, detail)
        SELECT org_id, number, 'debit', amount, balance_after, request_id, request_id, created_at, detail FROM entry
    ), summed AS (
      INSERT INTO ledger_month AS m (org_id, month, debits, entries)
        SELECT org_id, left(created_at, 7), sum(amount), count(*) FROM entry GROUP BY 1, 2
        ON CONFLICT (org_id, month)
        DO UPDATE SET debits = m.debits + excluded.debits, entries = m.entries + excluded.entries
    ), stored AS (
      UPDATE account SET balance = balances[array_position(orgs, org_id)], escrowed = escrows[array_position(orgs, org_id)],
        entries = counts[array_position(orgs, org_id)] WHERE org_id = ANY (orgs)
    ), own AS (
      -- What a gateway does not have it can't pay: no row is below zero.
      UPDATE escrow SET amount = amount - takens[array_position(orgs, org_id)]
        WHERE org_id = ANY (orgs) AND gateway_id = p_gateway RETURNING org_id, amount
    ) SELECT jsonb_object_agg(org, jsonb_build_array(balance::text, escrow::text, coalesce(own.amount, 0)::text)),
        sum(taken) FILTER (WHERE own.amount IS NULL)
      INTO accounts, not_had
      FROM unnest(orgs, balances, escrows, takens) AS moved (org, balance, escrow, taken)
      LEFT JOIN own ON own.org_id = moved.org;
    IF not_had > 0 THEN RAISE 'the gateway % pays %, and has nothing', p_gateway, not_had; END IF;
  END IF;

  IF p_batch ?| '{usage,rates}' THEN caps := flush_limits(p_gateway, p_batch); END IF;

  IF n + cardinality(made) > 0 OR p_operations IS NOT NULL THEN
    INSERT INTO run (gateway_id, seq, n, lines, made, leaves, operations)
    VALUES (p_gateway, p_seq, n + cardinality(made), p_lines,
      CASE WHEN cardinality(made) > 0 THEN array_to_string(made, E'\n') END,
      coalesce(p_leaves, ''::bytea) || leaf_hashes(made), p_operations);
  END IF;

  answer := jsonb_build_object('outcome', 'applied', 'seq', p_seq, 'accounts', accounts, 'caps', caps,
    'owed', to_jsonb(owed), 'refused', to_jsonb(refused));
  UPDATE gateway SET flush_seq = p_seq, config_seq = greatest(config_seq, p_config_seq), reply = answer
  WHERE id = p_gateway;
  RETURN answer;
END $$;

-- Whether the gateway may be given an allowance over this connection. Its row is locked against a fence meanwhile.
CREATE FUNCTION may_be_granted(p_gateway bigint, p_conn bigint) RETURNS text
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE me gateway;
BEGIN
  SELECT * INTO me FROM gateway WHERE id = p_gateway FOR KEY SHARE;
  IF NOT FOUND OR me.state <> 'live' THEN RETURN 'fenced'; END IF;
  IF me.conn <> p_conn THEN RETURN 'old_connection'; END IF;
  RETURN 'yes';
END $$;

-- Moves `p_need` micro-dollars of an organization into the gateway's escrow, or nothing. Where plenty is free, up to
-- `p_target` more: the less is free, the less lies idle at one gateway.
--
--   {"outcome": "granted", "amount", "balance", "escrowed", "own"}
--   {"outcome": "scarce", …}: not so much is free; other gateways are asked to return what they don't use
--   {"outcome": "no_account" | "fenced" | "old_connection"}
CREATE FUNCTION grant_money(p_gateway bigint, p_conn bigint, p_org text, p_need bigint, p_target bigint) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  may text := may_be_granted(p_gateway, p_conn);
  acc account;
  free bigint;
  amount bigint := 0;
  own bigint;
BEGIN
  IF may <> 'yes' THEN RETURN jsonb_build_object('outcome', may); END IF;
  IF p_need < 1 THEN RAISE 'a grant of % was asked for', p_need; END IF;
  SELECT * INTO acc FROM account WHERE org_id = p_org FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '{"outcome": "no_account"}'; END IF;
  free := acc.balance - acc.escrowed;
  IF free >= p_need THEN
    amount := p_need;
    IF free / 64 >= p_need THEN
      amount := amount + least(greatest(p_target - p_need, 0),
        (free - p_need) / (8 * (SELECT count(*) FROM gateway WHERE state = 'live')));
    END IF;
    UPDATE account SET escrowed = escrowed + amount WHERE org_id = p_org;
    INSERT INTO escrow AS e (org_id, gateway_id, amount) VALUES (p_org, p_gateway, amount)
      ON CONFLICT (org_id, gateway_id) DO UPDATE SET amount = e.amount + excluded.amount
      RETURNING e.amount INTO own;
  ELSE
    SELECT e.amount INTO own FROM escrow AS e WHERE e.org_id = p_org AND e.gateway_id = p_gateway;
    PERFORM pg_notify('weir_recall', 'money ' || p_org);
  END IF;
  RETURN jsonb_build_object('outcome', CASE WHEN amount > 0 THEN 'granted' ELSE 'scarce' END, 'amount', amount::text,
    'balance', acc.balance::text, 'escrowed', (acc.escrowed + amount)::text, 'own', coalesce(own, 0)::text);
END $$;

-- A new connection of a gateway begins: grants that an older one has asked for are refused from now on. Returns the
-- gateway's allowances as they are, because the answers to older grants may be lost.
--
--   {"outcome": "known", "seq": the last flush applied, "money": {organization: own escrow}, "rates": {id: own units},
--    "caps": {id: own grant}}
--   {"outcome": "fenced" | "old_connection"}
CREATE FUNCTION hello(p_gateway bigint, p_conn bigint) RETURNS jsonb
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE me gateway;
BEGIN
  -- FOR UPDATE waits for grants under way, and lets none begin.
  SELECT * INTO me FROM gateway WHERE id = p_gateway FOR UPDATE;
  IF NOT FOUND OR me.state <> 'live' THEN RETURN '{"outcome": "fenced"}'; END IF;
  IF me.conn >= p_conn THEN RETURN '{"outcome": "old_connection"}'; END IF;
  UPDATE gateway SET conn = p_conn WHERE id = p_gateway;
  RETURN jsonb_build_object('outcome', 'known', 'seq', me.flush_seq, 'money', coalesce(
    (SELECT jsonb_object_agg(org_id, amount::text) FROM escrow WHERE gateway_id = p_gateway AND amount > 0), '{}'))
    || limits_of(p_gateway);
END $$;

-- The gateways that may write, for those who watch whether they still do: {id: {"name", "release", "seq"}}.
CREATE FUNCTION live_gateways() RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT coalesce(jsonb_object_agg(id, jsonb_build_object('name', name, 'release', release, 'seq', flush_seq)), '{}')
  FROM gateway WHERE state = 'live'
$$;

-- Ends a gateway: with `fenced` one that another has seen stand still at `p_observed` for long enough, with `left` one
-- that stops and has written everything. Its escrow is free again, and its holds have an unknown outcome. False: it has
-- moved on meanwhile, is gone already, or is being written to right now.
CREATE FUNCTION end_gateway(p_gateway bigint, p_observed bigint, p_state text) RETURNS boolean
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  at text := now_text();
  made text[];
BEGIN
  PERFORM 1 FROM gateway WHERE id = p_gateway AND flush_seq = p_observed AND state = 'live' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE gateway SET state = p_state WHERE id = p_gateway;
  PERFORM 1 FROM account WHERE org_id IN (SELECT org_id FROM escrow WHERE gateway_id = p_gateway)
    ORDER BY org_id FOR NO KEY UPDATE;
  UPDATE account SET escrowed = account.escrowed - escrow.amount
    FROM escrow WHERE escrow.gateway_id = p_gateway AND escrow.org_id = account.org_id;
  DELETE FROM escrow WHERE gateway_id = p_gateway;
  PERFORM end_limits(p_gateway, p_state);
  WITH ended AS (DELETE FROM hold WHERE gateway_id = p_gateway RETURNING *)
    SELECT array_agg(hold_expired_line(org_id, request_id, amount, at, payer) ORDER BY request_id) INTO made FROM ended;
  PERFORM append_made(coalesce(made, '{}'));
  RETURN true;
END $$;

-- Debits debts of an organization from what nobody has in escrow, oldest first, at most `p_max`; a debt that is not
-- covered is passed over. The account's row must be locked. Returns how many were debited.
CREATE FUNCTION recover_debts(p_org text, p_max integer) RETURNS integer
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  acc account;
  owing debt;
  at text := now_text();
  made text[] := '{}';
BEGIN
  SELECT * INTO acc FROM account WHERE org_id = p_org FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  FOR owing IN
    SELECT * FROM debt WHERE org_id = p_org AND cost <= acc.balance - acc.escrowed
    ORDER BY owed_at, request_id LIMIT p_max
  LOOP
    CONTINUE WHEN owing.cost > acc.balance - acc.escrowed;
    acc.balance := acc.balance - owing.cost;
    acc.entries := acc.entries + 1;
    INSERT INTO ledger (org_id, number, type, amount, balance_after, idempotency_key, request_id, created_at, detail)
    VALUES (p_org, acc.entries, 'debit', owing.cost, acc.balance, owing.request_id, owing.request_id, at, owing.detail);
    PERFORM add_to_month(p_org, at, 'debit', owing.cost);
    DELETE FROM debt WHERE org_id = p_org AND request_id = owing.request_id;
    made := made || debit_recovered_line(p_org, owing.request_id, owing.cost, acc.balance, at, owing.payer);
  END LOOP;
  UPDATE account SET balance = acc.balance, entries = acc.entries WHERE org_id = p_org AND cardinality(made) > 0;
  PERFORM append_made(made);
  RETURN cardinality(made);
END $$;

CREATE FUNCTION add_to_month(p_org text, p_at text, p_type text, p_amount bigint) RETURNS void
LANGUAGE sql SET search_path = weir AS $$
  INSERT INTO ledger_month AS m (org_id, month, debits, top_ups, corrections, entries)
  VALUES (p_org, left(p_at, 7), CASE p_type WHEN 'debit' THEN p_amount ELSE 0 END,
    CASE p_type WHEN 'top_up' THEN p_amount ELSE 0 END, CASE p_type WHEN 'correction' THEN p_amount ELSE 0 END, 1)
  ON CONFLICT (org_id, month) DO UPDATE SET debits = m.debits + excluded.debits, top_ups = m.top_ups + excluded.top_ups,
    corrections = m.corrections + excluded.corrections, entries = m.entries + excluded.entries
$$;

-- Adds money to an account, opens it if there is none, and debits debts with it. A correction may be negative, and takes
-- only what nobody has in escrow.
--
--   {"outcome": "written", "entry": {number, type, amount, balance_after, idempotency_key, created_at}}
--   {"outcome": "known", "entry"}: the key has this entry already, and nothing was written
--   {"outcome": "key_of_request"}: the key is the id of a request that is in flight or owed
--   {"outcome": "too_much"}: a correction takes more than is free; other gateways are asked to return what they don't use
--   {"outcome": "too_large"}: the balance would be above `p_balance_max`
CREATE FUNCTION top_up(p_org text, p_type text, p_amount bigint, p_key text, p_balance_max bigint, p_debts_max integer)
RETURNS jsonb LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  acc account;
  entry ledger;
  at text := now_text();
BEGIN
  PERFORM open_account(p_org);
  SELECT * INTO acc FROM account WHERE org_id = p_org FOR NO KEY UPDATE;
  SELECT * INTO entry FROM ledger WHERE org_id = p_org AND idempotency_key = p_key;
  IF FOUND THEN RETURN jsonb_build_object('outcome', 'known', 'entry', entry_json(entry)); END IF;
  IF EXISTS (SELECT FROM hold WHERE request_id = p_key AND org_id = p_org)
    OR EXISTS (SELECT FROM debt WHERE request_id = p_key AND org_id = p_org)
  THEN RETURN '{"outcome": "key_of_request"}'; END IF;
  IF acc.balance - acc.escrowed + p_amount < 0 THEN
    PERFORM pg_notify('weir_recall', 'money ' || p_org);
    RETURN '{"outcome": "too_much"}';
  END IF;
  IF p_amount > 0 AND acc.balance + p_amount > p_balance_max THEN RETURN '{"outcome": "too_large"}'; END IF;
  UPDATE account SET balance = balance + p_amount, entries = entries + 1 WHERE org_id = p_org RETURNING * INTO acc;
  INSERT INTO ledger (org_id, number, type, amount, balance_after, idempotency_key, created_at)
  VALUES (p_org, acc.entries, p_type, p_amount, acc.balance, p_key, at) RETURNING * INTO entry;
  PERFORM add_to_month(p_org, at, p_type, p_amount);
  PERFORM append_made(ARRAY[topped_up_line(p_org, p_type, p_amount, acc.balance, p_key, at)]);
  PERFORM recover_debts(p_org, p_debts_max);
  PERFORM pg_notify('weir_account', p_org);
  RETURN jsonb_build_object('outcome', 'written', 'entry', entry_json(entry));
END $$;

CREATE FUNCTION entry_json(entry ledger) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('number', entry.number, 'type', entry.type, 'amount', entry.amount::text,
    'balance_after', entry.balance_after::text, 'idempotency_key', entry.idempotency_key, 'request_id', entry.request_id,
    'created_at', entry.created_at, 'detail', entry.detail)
$$;

-- The root of a full tile.
CREATE FUNCTION tile_root(hashes bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  level bytea := hashes;
  above bytea[];
BEGIN
  WHILE length(level) > 32 LOOP
    above := '{}';
    FOR at IN 0 .. length(level) / 64 - 1 LOOP
      above := above || sha256('\x01'::bytea || substring(level FROM at * 64 + 1 FOR 64));
    END LOOP;
    SELECT string_agg(h, ''::bytea ORDER BY place) INTO level FROM unnest(above) WITH ORDINALITY AS a (h, place);
  END LOOP;
  RETURN level;
END $$;

-- Appends hashes to the level of a tree that has `p_size` of them there.
CREATE FUNCTION append_hashes(p_level integer, p_size bigint, p_hashes bytea) RETURNS void
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  index bigint := p_size / 256;
  within integer := p_size % 256;
  left_over bytea := p_hashes;
  taken integer;
  whole bytea;
  roots bytea := '';
BEGIN
  WHILE length(left_over) > 0 LOOP
    taken := least(256 - within, length(left_over) / 32);
    INSERT INTO tile AS t (level, i, hashes) VALUES (p_level, index, substring(left_over FROM 1 FOR taken * 32))
      ON CONFLICT (level, i) DO UPDATE SET hashes = t.hashes || excluded.hashes
      RETURNING t.hashes INTO whole;
    IF length(whole) <> 32 * (within + taken) THEN RAISE 'a tile of the audit log does not fit its size'; END IF;
    left_over := substring(left_over FROM taken * 32 + 1);
    within := (within + taken) % 256;
    IF within = 0 THEN
      roots := roots || tile_root(whole);
      index := index + 1;
    END IF;
  END LOOP;
  IF length(roots) > 0 THEN PERFORM append_hashes(p_level + 1, p_size / 256, roots); END IF;
END $$;

-- Gives waiting runs their places in the log, at most `p_max` of them: those of one gateway in their order. Returns the
-- log's size after that; null: another gateway is at it.
CREATE FUNCTION sequence_runs(p_max integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  at bigint;
  start bigint;
  last bigint;
  last_before bigint;
  waiting record;
  leaves bytea[] := '{}';
BEGIN
  SELECT size, runs INTO at, last FROM log_head FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  start := at;
  last_before := last;
  FOR waiting IN SELECT gateway_id, seq, n, run.leaves FROM run WHERE place IS NULL ORDER BY gateway_id, seq LIMIT p_max
  LOOP
    last := last + 1;
    UPDATE run SET first = at, place = last WHERE gateway_id = waiting.gateway_id AND seq = waiting.seq;
    leaves := leaves || waiting.leaves;
    at := at + waiting.n;
  END LOOP;
  IF at > start THEN
    PERFORM append_hashes(0, start, (SELECT string_agg(l, ''::bytea ORDER BY position)
      FROM unnest(leaves) WITH ORDINALITY AS every (l, position)));
  END IF;
  IF last > last_before THEN
    UPDATE log_head SET size = at, runs = last;
  END IF;
  RETURN at;
END $$;

-- Down Migration

DROP SCHEMA weir CASCADE;
