import type { Credential } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import type { Limit } from './limits.ts'

/** What a credential says of its bearer, before the request id and the address are added. */
export type Identity = Omit<Caller, 'requestId' | 'ip'> & { delegation?: Delegation }

/** By which right the bearer acts for the merchant that it is taken for. */
export interface Delegation {
  /** Whose credential it is. */
  granteeMerchantId: string
  /** Of the grant, as it was judged. */
  epoch: number
  /** The token was made for this; else a header of the request says so. */
  byToken: boolean
}

/** A credential that was read and found genuine; whether it still lives is said by `confirm`. */
export interface Principal {
  /** Of a merchant's credential: whose it is. */
  merchantId?: string
  /** Of a delegated token: for whom it acts, and the epoch of the grant when it was made. */
  grantor?: { merchantId: string; epoch: number }
  limits: readonly Limit[]
  /** More limits, once the body is known. */
  limitsOf?(body: unknown): readonly Limit[]
  /** The credentials of which the counting call reads the epochs. */
  credentials: readonly Credential[]
  /** Throws 401 or 403 unless the credential is alive in these epochs; undefined: Redis did not say. */
  confirm(epochs: readonly (string | null)[] | undefined): Identity | Promise<Identity>
}
