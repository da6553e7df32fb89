/** For the first migration of a service: app_now(), the one clock of deciding SQL, and the table that shifts it. */
export const foundationSql: string = `
CREATE TABLE app_clock (
  only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
  shift interval NOT NULL);
COMMENT ON TABLE app_clock IS 'Empty in production. Only the owner writes it: the clock of tests.';
GRANT SELECT ON app_clock TO PUBLIC;

-- In plpgsql, which keeps its plan for the session: a function in sql is parsed and planned anew in every statement.
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN clock_timestamp() + coalesce((SELECT shift FROM app_clock), interval '0');
END $$;
`
