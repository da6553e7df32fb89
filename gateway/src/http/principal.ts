import type { Credential } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import type { Limit } from './limits.ts'

/** What a credential says of its bearer, before the request id and the address are added. */
export type Identity = Omit<Caller, 'requestId' | 'ip'>

/** A credential that was read and found genuine; whether it still lives is said by `confirm`. */
export interface Principal {
  limits: readonly Limit[]
  /** More limits, once the body is known. */
  limitsOf?(body: unknown): readonly Limit[]
  /** The credentials of which the counting call reads the epochs. */
  credentials: readonly Credential[]
  /** Throws 401 or 403 unless the credential is alive in these epochs; undefined: Redis did not say. */
  confirm(epochs: readonly (string | null)[] | undefined): Identity | Promise<Identity>
}
