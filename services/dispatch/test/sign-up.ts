import { randomBytes, randomUUID } from 'node:crypto'
import { type Caller, systemCaller } from '@svc/grpc'
import { merchantCaller } from '@svc/testing'
import type { DispatchMesh } from './dispatch-mesh.ts'

/** A merchant that admin knows, its test key and a live one. */
export async function signUp(mesh: DispatchMesh): Promise<{ id: string; caller: Caller; live: Caller }> {
  const input = {
    business_name: `Merchant ${randomUUID()}`,
    email: `${randomUUID()}@merchant.example`,
    password: 'correct horse battery',
  }
  const visitor: Caller = { ...systemCaller('visitor'), kind: 'public' }
  const { merchant } = await mesh.admin.merchants.as(visitor).signUpMerchant(input)
  const { id } = merchant!
  const [caller, live] = await Promise.all([keyOf(mesh, id, true), keyOf(mesh, id, false)])
  return { id, caller, live }
}

/** A caller by a key that admin knows. */
async function keyOf(mesh: DispatchMesh, merchantId: string, isTest: boolean): Promise<Caller> {
  const id = randomBytes(6).toString('hex')
  const caller = merchantCaller({ merchantId, isTest, actor: { type: 'merchant_key', id }, credential: `key:${id}` })
  await mesh.admin.worker.query(
    `INSERT INTO api_keys (id, merchant_id, key_id, secret_hmac, prefix, last4, scopes, is_test, epoch, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, 'svc', 'last', $4, $5, 1, app_now())`,
    [merchantId, id, randomBytes(32), caller.scopes, isTest],
  )
  return caller
}
