import { randomUUID } from 'node:crypto'
import { type Caller, systemCaller } from '@svc/grpc'
import { merchantCaller } from '@svc/testing'
import type { DispatchMesh } from './dispatch-mesh.ts'

/** A merchant that admin knows, and its test key. */
export async function signUp(mesh: DispatchMesh): Promise<{ id: string; caller: Caller }> {
  const input = {
    business_name: `Merchant ${randomUUID()}`,
    email: `${randomUUID()}@merchant.example`,
    password: 'correct horse battery',
  }
  const visitor: Caller = { ...systemCaller('visitor'), kind: 'public' }
  const { merchant } = await mesh.admin.merchants.as(visitor).signUpMerchant(input)
  return { id: merchant!.id, caller: merchantCaller({ merchantId: merchant!.id }) }
}
