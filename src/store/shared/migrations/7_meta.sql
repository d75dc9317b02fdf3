-- Up Migration

-- What concerns the database as a whole.

SET LOCAL search_path = weir;

CREATE TABLE meta (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Gateways of older releases don't know what stands in this schema: they take no requests.
  oldest_release text NOT NULL DEFAULT '0.0.0',
  -- The name of a log whose move into this database has begun and not ended. Meanwhile no gateway starts.
  moving text
);
INSERT INTO meta DEFAULT VALUES;

-- {"oldestRelease", "moving"}
CREATE FUNCTION about_store() RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT jsonb_build_object('oldestRelease', oldest_release, 'moving', moving) FROM meta
$$;

-- Down Migration

DROP FUNCTION weir.about_store;
DROP TABLE weir.meta;
