-- Up Migration

-- Which gateway runs a batch job. The job itself is in every gateway's copy.

SET LOCAL search_path = weir;

CREATE TABLE job_claim (
  job_id text PRIMARY KEY,
  gateway_id bigint NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX job_claim_by_age ON job_claim (claimed_at);

-- Makes jobs those of a gateway, unless another one that lives has them. Returns the jobs that are its own now.
CREATE FUNCTION claim_jobs(p_gateway bigint, p_jobs text[], p_kept_for interval) RETURNS text[]
LANGUAGE plpgsql SET search_path = weir AS $$
DECLARE
  job text;
  claimed text[] := '{}';
BEGIN
  PERFORM FROM gateway WHERE id = p_gateway AND state = 'live' FOR KEY SHARE;
  IF NOT FOUND THEN RETURN claimed; END IF;
  DELETE FROM job_claim WHERE claimed_at < clock_timestamp() - p_kept_for AND NOT job_id = ANY (p_jobs);
  DELETE FROM job_item_end WHERE ended_at < clock_timestamp() - p_kept_for;
  FOR job IN SELECT DISTINCT unnest(p_jobs) ORDER BY 1 LOOP
    INSERT INTO job_claim AS c (job_id, gateway_id) VALUES (job, p_gateway)
      ON CONFLICT (job_id) DO UPDATE SET gateway_id = p_gateway, claimed_at = clock_timestamp()
      WHERE c.gateway_id = p_gateway OR NOT EXISTS (SELECT FROM gateway WHERE id = c.gateway_id AND state = 'live');
    IF FOUND THEN claimed := claimed || job; END IF;
  END LOOP;
  RETURN claimed;
END $$;

-- Down Migration

DROP FUNCTION weir.claim_jobs;
DROP TABLE weir.job_claim;
