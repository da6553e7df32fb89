import type { VerifyApiKeyResponse } from '@svc/contracts/admin/v1/credential_service'
import { type ParsedApiKey, parseApiKey, problemOfApiKey } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import type { Config } from '../config.ts'
import type { Clients } from '../services.ts'
import { keyLookups } from './key-lookups.ts'
import { keyRefresher, type Verdict } from './key-refresh.ts'
import { keyLimits } from './limits.ts'
import { Lru } from './lru.ts'
import type { Identity, Principal } from './principal.ts'
import type { RateLimiter } from './rate-limit.ts'
import { standingOf } from './standing.ts'
import { malformed, unauthorized } from './unauthorized.ts'

const MAX_KEYS = 20_000
const MAX_BAD_KEYS = 5_000

/** Judges the key that came from an address. */
export type ReadApiKey = (text: string, address: string) => Promise<Principal>

/**
 * Judges API keys. A malformed key costs no call; a verdict is reused for at most five seconds from the question on, and only
 * while Redis reports the epoch in which it was given, so that revocation and rotation bite on the next request. Those in
 * use are renewed together. Keys that turn out not to be good are counted for the address they came from.
 */
export function apiKeyReader(config: Config, credential: Clients['credential'], limiter: RateLimiter): ReadApiKey {
  const lookups = keyLookups(config, limiter)
  const good = new Lru<string, Verdict>(MAX_KEYS)
  // Apart from the good ones, so that a flood of invented keys cannot push those out.
  const bad = new Lru<string, Verdict>(MAX_BAD_KEYS)
  const asking = new Map<string, Promise<VerifyApiKeyResponse>>()
  const admin = () => credential.as(systemCaller('gateway'))

  function keep(digest: string, verdict: Verdict): void {
    const [cache, other] = isGood(verdict.answer) ? [good, bad] : [bad, good]
    cache.set(digest, verdict)
    other.delete(digest)
  }

  const noteUse = keyRefresher({
    ttlMs: config.verdictTtlMs,
    async judge(keys) {
      const asked = keys.map(({ keyId, secretSha256 }) => ({ key_id: keyId, secret_sha256: secretSha256 }))
      return (await admin().verifyApiKeys({ keys: asked })).verdicts
    },
    isCurrent: (digest, verdict) => good.peek(digest) === verdict,
    replace(digest, fresh) {
      keep(digest, fresh)
      if (isGood(fresh.answer)) lookups.renew(fresh.secretSha256)
    },
  })

  async function ask(digest: string, { keyId, secretSha256 }: ParsedApiKey): Promise<VerifyApiKeyResponse> {
    const askedAtMs = Date.now()
    const answer = await admin().verifyApiKey({ key_id: keyId, secret_sha256: secretSha256 })
    keep(digest, { keyId, secretSha256, answer, askedAtMs })
    return answer
  }

  function askOnce(digest: string, key: ParsedApiKey, address: string): Promise<VerifyApiKeyResponse> {
    // By address too: a refusal of one network is not another's.
    const question = `${digest} ${address}`
    const running = asking.get(question)
    if (running) return running
    const started = lookups
      .run(key.secretSha256, address, () => ask(digest, key), isGood)
      .finally(() => asking.delete(question))
    asking.set(question, started)
    return started
  }

  function remembered(digest: string): VerifyApiKeyResponse | undefined {
    const known = good.get(digest)
    const verdict = known ?? bad.get(digest)
    if (!verdict || Date.now() >= verdict.askedAtMs + config.verdictTtlMs) return undefined
    if (known) noteUse(digest, known)
    return verdict.answer
  }

  return async (text, address) => {
    const key = parseApiKey(text)
    if (!key) throw malformed(problemOfApiKey(text) ?? 'not_a_key')
    const digest = key.secretSha256.toString('latin1')
    const answer = remembered(digest) ?? (await askOnce(digest, key, address))
    refuseDead(answer)
    const { merchantId } = standingOf(answer.standing)
    return {
      merchantId,
      limits: keyLimits(config, { ...key, merchantId }),
      credentials: [`key:${key.keyId}`],
      confirm(epochs) {
        const epoch = epochs?.[0]
        if (epoch === null || epoch === undefined || Number(epoch) === answer.epoch) return identityOf(key, answer)
        // Something happened to the key since the verdict: only a fresh one counts, and only for this request.
        good.delete(digest)
        return ask(digest, key).then((fresh) => {
          if (Number(epoch) !== fresh.epoch) good.delete(digest)
          refuseDead(fresh)
          return identityOf(key, fresh)
        })
      },
    }
  }
}

const isGood = ({ verdict }: VerifyApiKeyResponse): boolean => verdict === 'active' || verdict === 'suspended'

function refuseDead({ verdict }: VerifyApiKeyResponse): void {
  if (verdict === 'revoked') throw unauthorized('revoked')
  if (verdict !== 'active' && verdict !== 'suspended') throw unauthorized('invalid')
}

function identityOf(key: ParsedApiKey, answer: VerifyApiKeyResponse): Identity {
  const { merchantId, standing } = standingOf(answer.standing)
  if (answer.verdict === 'suspended') throw suspended(standing)
  return {
    kind: 'merchant',
    merchantId,
    isTest: answer.is_test,
    scopes: answer.scopes,
    actor: { type: 'merchant_key', id: key.keyId },
    credential: `key:${key.keyId}`,
    credentialEpoch: answer.epoch,
    ...(answer.made_by_operator && { madeByOperator: true }),
    standing,
  }
}

/** A live credential of a merchant that may not trade live at present. */
export const suspended = (standing: { kybStatus: string; businessApprovalStatus: string }): ServiceError =>
  new ServiceError('kyb_required', {
    details: { kyb_status: standing.kybStatus, business_approval_status: standing.businessApprovalStatus },
  })
