import type { VerifySessionResponse } from '@svc/contracts/admin/v1/credential_service'
import { systemCaller } from '@svc/grpc'
import type { Clients } from '../services.ts'
import { Lru } from './lru.ts'
import { unauthorized } from './unauthorized.ts'

/** Of the credential, of the session and of the key that minted it, if one did, as Redis has them. */
type Epochs = readonly (string | null)[] | undefined

interface Entry {
  answer: VerifySessionResponse
  untilMs: number
}

const MAX_SESSIONS = 20_000

/** The token's credential, its epoch when the token was made, and its session. */
export interface SessionClaims {
  credential: string
  ep: number
  sid: string
  /** Of a rider's token that a merchant's key minted: the key, and its epoch at the time. */
  minted_by?: string
  mint_ep?: number
}

export type ConfirmSession = (
  claims: SessionClaims,
  epochs: Epochs,
) => VerifySessionResponse | Promise<VerifySessionResponse>

/**
 * Says whether what a token was minted from still lives, in the epoch of the token. Verdicts are reused for at most
 * `ttlMs`, and only while Redis reports no other epochs than theirs.
 */
export function sessionVerdicts(credential: Clients['credential'], ttlMs: number): ConfirmSession {
  const known = new Lru<string, Entry>(MAX_SESSIONS)

  async function ask(key: string, claims: SessionClaims, epochs: Epochs): Promise<VerifySessionResponse> {
    const request = { credential: claims.credential, session_id: claims.sid }
    // From the question on: what happened to the session while it was answered may not be in the answer.
    const untilMs = Date.now() + ttlMs
    const answer = await credential.as(systemCaller('gateway')).verifySession(request)
    if (isCurrent(answer, epochs)) known.set(key, { answer, untilMs })
    return answer
  }

  return (claims, epochs) => {
    const key = `${claims.credential} ${claims.sid}`
    const entry = known.get(key)
    const usable = entry && entry.untilMs > Date.now() && isCurrent(entry.answer, epochs)
    return usable ? judge(claims, entry.answer) : ask(key, claims, epochs).then((answer) => judge(claims, answer))
  }
}

// Without Redis the age of the verdict is all there is.
const isCurrent = ({ epoch, session_epoch, minter_epoch = 0 }: VerifySessionResponse, epochs: Epochs): boolean =>
  epochs === undefined ||
  (agrees(epochs[0], epoch) && agrees(epochs[1], session_epoch) && agrees(epochs[2], minter_epoch))

const agrees = (inRedis: string | null | undefined, inVerdict: number): boolean =>
  inRedis === null || inRedis === undefined || Number(inRedis) === inVerdict

function judge(claims: SessionClaims, answer: VerifySessionResponse): VerifySessionResponse {
  if (answer.verdict === 'revoked') throw unauthorized('revoked')
  // Suspension raises epochs too; its own answer says what to do about it.
  if (answer.verdict === 'suspended') return answer
  if (answer.verdict !== 'active') throw unauthorized('invalid')
  if (answer.epoch !== claims.ep || answer.minter_epoch !== claims.mint_ep) throw unauthorized('revoked')
  return answer
}
