interface RecorderTable {
  service: string
  table: string
  /** What the worker role may do. */
  workerGrants?: string
}

/** A table that only workers touch: the app role has no grant and no policy, so its statements fail. */
export function recorderTableSql({ service, table, workerGrants }: RecorderTable): string {
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY worker ON ${table} FOR ALL TO ${service}_worker USING (true) WITH CHECK (true);
CREATE POLICY inspect ON ${table} FOR SELECT TO ${service}_inspect USING (true);
GRANT ${workerGrants ?? 'SELECT, INSERT, UPDATE, DELETE'} ON ${table} TO ${service}_worker;
GRANT SELECT ON ${table} TO ${service}_inspect;
`
}
