import type { Tag } from './audiences.ts'
import { type Auth, inPerson, merchant, rider } from './route.ts'

/** The owner of a wallet: merchants and riders have the same routes, each below its own address. */
export interface Owner {
  /** Below which its routes lie. */
  base: string
  tag: Tag
  reading: Auth
  writing: Auth
  /** The operation of an rpc. */
  named: (rpc: string) => string
}

export const MERCHANT: Owner = {
  base: '/v1/me',
  tag: 'Wallet',
  reading: inPerson(merchant('orders:read', 'orders:write')),
  writing: inPerson(merchant('orders:write')),
  named: (rpc) => rpc,
}

export const RIDER: Owner = {
  base: '/v1/riders/me',
  tag: 'Riders: money',
  reading: rider(),
  writing: rider(),
  named: (rpc) => `rider${rpc.charAt(0).toUpperCase()}${rpc.slice(1)}`,
}
