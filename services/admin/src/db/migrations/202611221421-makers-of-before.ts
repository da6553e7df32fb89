import { SqlMigration } from '@svc/database'

/** Who made the operators that were there before operator_makers was. */
export class MakersOfBefore extends SqlMigration {
  override up(): void {
    this.addSql(`
INSERT INTO operator_makers (operator_id, maker_id, gave, at)
SELECT DISTINCT ON (resource_id, gave) resource_id, actor_id, gave, at
  FROM audit_log, unnest(ARRAY['identity', 'role', 'password']) AS gave WHERE action = 'operator.create'
ON CONFLICT DO NOTHING;
`)
  }
}
