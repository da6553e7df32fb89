import { SqlMigration } from '@svc/database'

/** Steps of scenarios stand beside those of automatic orders: an order has either. */
export class Scenarios extends SqlMigration {
  override up(): void {
    this.addSql(`ALTER TABLE sim_timer
      ADD COLUMN scenario text, ADD COLUMN started_by jsonb, ADD COLUMN lease uuid, ADD COLUMN lease_until timestamptz,
      ADD COLUMN ended_at timestamptz, ADD COLUMN error text`)
    this.addSql(`COMMENT ON COLUMN sim_timer.scenario IS 'Which scenario the step is of; null: of an automatic order.'`)
    this.addSql(`COMMENT ON COLUMN sim_timer.started_by IS 'The merchant that started the scenario: {type, id}.'`)
    this.addSql(`COMMENT ON COLUMN sim_timer.lease IS 'Who plays the step of a scenario now, until lease_until.'`)
    this.addSql(`COMMENT ON COLUMN sim_timer.error IS 'What refused the step of a scenario.'`)
  }
}
