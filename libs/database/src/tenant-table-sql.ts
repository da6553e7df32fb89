interface TenantTable {
  service: string
  table: string
  /** The column that names the merchant. */
  column?: string
  /** What the app role may do; the worker may do everything but TRUNCATE. */
  appGrants?: string
}

/**
 * The second tenant wall of one table: the app role sees and writes only rows of `app.tenant_id`, and a statement
 * without a tenant fails (absent setting and empty string alike do not cast to uuid). Workers see every row.
 */
export function tenantTableSql({ service, table, column = 'merchant_id', appGrants }: TenantTable): string {
  const isOurs = `${column} = current_setting('app.tenant_id')::uuid`
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ${table} FOR ALL TO ${service}_app USING (${isOurs}) WITH CHECK (${isOurs});
CREATE POLICY worker ON ${table} FOR ALL TO ${service}_worker USING (true) WITH CHECK (true);
CREATE POLICY inspect ON ${table} FOR SELECT TO ${service}_inspect USING (true);
GRANT ${appGrants ?? 'SELECT, INSERT, UPDATE, DELETE'} ON ${table} TO ${service}_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${service}_worker;
GRANT SELECT ON ${table} TO ${service}_inspect;
`
}
