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

-- Gateways look at once.
CREATE FUNCTION tell_about_store() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('weir_about', '');
  RETURN NULL;
END $$;
CREATE TRIGGER meta_changed AFTER UPDATE ON meta FOR EACH ROW EXECUTE FUNCTION tell_about_store();

-- {"oldestRelease", "moving", "logName"}; the log has no name before the first gateway.
CREATE FUNCTION about_store() RETURNS jsonb
LANGUAGE sql STABLE SET search_path = weir AS $$
  SELECT jsonb_build_object('oldestRelease', m.oldest_release, 'moving', m.moving,
    'logName', (SELECT name FROM log_key))
  FROM meta AS m
$$;

-- Down Migration

DROP FUNCTION weir.about_store;
DROP TABLE weir.meta;
DROP FUNCTION weir.tell_about_store;
