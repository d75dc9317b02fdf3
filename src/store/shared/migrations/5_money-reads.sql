-- Up Migration

-- What the gateways read of the books. Amounts are texts, as in 1_gateways-money-and-log.sql.

SET LOCAL search_path = weir;

-- {organization: [balance, escrowed]}; `p_orgs` null: of all organizations.
CREATE FUNCTION accounts_of(p_orgs text[]) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT coalesce(jsonb_object_agg(org_id, jsonb_build_array(balance::text, escrowed::text)), '{}')
  FROM account WHERE p_orgs IS NULL OR org_id = ANY (p_orgs)
$$;

-- What is held of an organization's balance: {"amount", "holds"}
CREATE FUNCTION held_of(p_org text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT jsonb_build_object('amount', coalesce(sum(amount), 0)::text, 'holds', count(*)) FROM hold WHERE org_id = p_org
$$;

-- Entries with numbers below `p_before`, highest first.
CREATE FUNCTION entries_before(p_org text, p_before bigint, p_limit integer) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT coalesce(jsonb_agg(entry_json(l) ORDER BY l.number DESC), '[]') FROM (
    SELECT * FROM ledger WHERE org_id = p_org AND number < p_before ORDER BY number DESC LIMIT p_limit
  ) AS l
$$;

-- The months of an organization's books, newest first.
CREATE FUNCTION months_of(p_org text, p_limit integer) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('month', m.month, 'debits', m.debits::text, 'topUps', m.top_ups::text,
    'corrections', m.corrections::text, 'entries', m.entries) ORDER BY m.month DESC), '[]')
  FROM (SELECT * FROM ledger_month WHERE org_id = p_org ORDER BY month DESC LIMIT p_limit) AS m
$$;

-- Debits debts that nobody's escrow keeps from being paid, of a few organizations. Returns how many were debited.
CREATE FUNCTION recover_some(p_orgs_max integer, p_debts_max integer) RETURNS integer
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  org text;
  paid integer := 0;
BEGIN
  FOR org IN
    SELECT DISTINCT d.org_id FROM debt AS d JOIN account AS a USING (org_id)
    WHERE d.cost <= a.balance - a.escrowed ORDER BY 1 LIMIT p_orgs_max
  LOOP
    paid := paid + recover_debts(org, p_debts_max);
  END LOOP;
  RETURN paid;
END $$;

-- Down Migration

DROP FUNCTION weir.recover_some, weir.months_of, weir.entries_before, weir.held_of, weir.accounts_of;
