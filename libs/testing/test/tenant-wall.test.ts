import { expect, test } from '@jest/globals'
import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { tenantWall } from '@svc/testing'

const service = 'walltest'
const columns = 'id uuid PRIMARY KEY, merchant_id uuid NOT NULL'

class Walled extends SqlMigration {
  up() {
    this.addSql(foundationSql)
    this.addSql(`CREATE TABLE parcel (${columns}, weight int NOT NULL CHECK (weight > 0))`)
    this.addSql(tenantTableSql({ service, table: 'parcel' }))
    this.addSql(`CREATE TABLE account (owner_id uuid, merchant_id uuid GENERATED ALWAYS AS (owner_id) STORED)`)
    this.addSql(tenantTableSql({ service, table: 'account', appGrants: 'SELECT' }))
    this.addSql('CREATE TABLE recorded (id uuid PRIMARY KEY)')
    this.addSql(recorderTableSql({ service, table: 'recorded' }))
  }
}

class Breached extends Walled {
  override up() {
    super.up()
    this.addSql(`CREATE TABLE bare (${columns})`)
    this.addSql(`CREATE TABLE leaky (${columns})`)
    this.addSql(tenantTableSql({ service, table: 'leaky' }))
    this.addSql('CREATE POLICY also ON leaky FOR ALL TO PUBLIC USING (true) WITH CHECK (true)')
    this.addSql(`CREATE TABLE lent (${columns})`)
    this.addSql(recorderTableSql({ service, table: 'lent' }))
    this.addSql(`GRANT SELECT ON lent TO ${service}_app`)
    this.addSql('GRANT UPDATE ON app_clock TO PUBLIC')
  }
}

test('a wall lets nothing through where every table has the policy of a tenant or is out of reach', async () => {
  expect(await tenantWall(service, [{ name: '1-walled', class: Walled }])).toEqual([])
})

test('a table without a policy, one with too wide a policy and a grant too many are found', async () => {
  expect(await tenantWall(service, [{ name: '1-breached', class: Breached }])).toEqual([
    'app_clock is open to UPDATE',
    'bare has no forced row security',
    'leaky is read without a tenant',
    'leaky is read without a tenant',
    'leaky shows other rows than those of its tenant',
    'leaky lets a tenant change rows of another',
    'leaky lets a tenant give rows to another',
    'leaky lets a tenant remove rows of another',
    'leaky lets a tenant add rows of another',
    'lent has no tenant, and is open to SELECT',
  ])
})
