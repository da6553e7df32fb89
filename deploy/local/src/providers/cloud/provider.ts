import { createHash } from 'node:crypto'
import { type Request, type Response, Router } from 'express'
import type { Provider } from '../provider.ts'
import type { World } from '../world.ts'

interface PhoneNumber {
  id: string
  display_phone_number: string
  verified_name: string
}

interface Grant {
  appId: string
  accounts: ReadonlyMap<string, readonly PhoneNumber[]>
}

/** The words of the real one: what is wrong with a parameter, and with a token. */
const WRONG_PARAMETER = 100
const ENDED_TOKEN = 190
const OTHER_PIN = 133005

const refuse = (response: Response, status: number, code: number, message: string): void => {
  response.status(status).json({ error: { message, type: 'OAuthException', code, fbtrace_id: 'local' } })
}

/** Digits that are the same for the same text in every run. */
const digitsOf = (text: string, count: number): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString()
    .slice(0, count)

/**
 * A code says how much it grants: `many…` two accounts with three numbers, `none…` nothing, any other one number. What
 * stands before its first dot names the business: codes that share it grant the same.
 */
function accountsOf(code: string): ReadonlyMap<string, readonly PhoneNumber[]> {
  const [business] = code.split('.')
  const number = (name: string): PhoneNumber => ({
    id: digitsOf(`number ${name} of ${business}`, 15),
    display_phone_number: `+234 ${digitsOf(`display ${name} of ${business}`, 10)}`,
    verified_name: `Shop ${name}`,
  })
  const account = (name: string) => digitsOf(`account ${name} of ${business}`, 16)
  if (code.startsWith('none')) return new Map()
  if (!code.startsWith('many')) return new Map([[account('A'), [number('A1')]]])
  return new Map([
    [account('A'), [number('A1'), number('A2')]],
    [account('B'), [number('B1')]],
  ])
}

/** The messaging app's cloud: signups, business accounts and the registration of their phone numbers. */
export function cloud(_world: World): Provider {
  const usedCodes = new Set<string>()
  const grants = new Map<string, Grant>()
  const pins = new Map<string, string>()
  const router = Router()

  const grantOf = (request: Request, response: Response): Grant | null => {
    const token = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1] ?? ''
    const grant = grants.get(token)
    if (!grant) refuse(response, 401, ENDED_TOKEN, 'Invalid OAuth access token.')
    return grant ?? null
  }

  router.get('/:version/oauth/access_token', (request, response) => {
    const { client_id: appId, client_secret: secret, code } = request.query
    if (typeof appId !== 'string' || typeof secret !== 'string' || secret === '')
      return refuse(response, 400, 101, 'Error validating application.')
    if (typeof code !== 'string' || code === '' || code.startsWith('expired') || usedCodes.has(code))
      return refuse(response, 400, WRONG_PARAMETER, 'This authorization code has expired or has been used.')
    usedCodes.add(code)
    const token = `EAA${digitsOf(`token of ${code}`, 30)}`
    grants.set(token, { appId, accounts: accountsOf(code) })
    response.json({ access_token: token, token_type: 'bearer' })
  })

  router.get('/:version/debug_token', (request, response) => {
    const [appId, secret] = (/^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1] ?? '').split('|')
    if (!appId || !secret) return refuse(response, 400, ENDED_TOKEN, 'An app access token is required.')
    const { input_token: token } = request.query
    const grant = typeof token === 'string' ? grants.get(token) : undefined
    const ids = [...(grant?.accounts.keys() ?? [])]
    const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
    response.json({
      data: {
        app_id: grant?.appId ?? appId,
        is_valid: grant !== undefined,
        type: 'SYSTEM_USER',
        scopes,
        granular_scopes: scopes.map((scope) => ({ scope, target_ids: ids })),
      },
    })
  })

  router.get('/:version/:account/phone_numbers', (request, response) => {
    const grant = grantOf(request, response)
    if (!grant) return
    const numbers = grant.accounts.get(request.params.account)
    if (!numbers) return refuse(response, 400, WRONG_PARAMETER, 'Unsupported get request.')
    response.json({ data: numbers, paging: { cursors: { before: 'a', after: 'b' } } })
  })

  router.post('/:version/:number/register', (request, response) => {
    const grant = grantOf(request, response)
    if (!grant) return
    const { number } = request.params
    const isGranted = [...grant.accounts.values()].flat().some(({ id }) => id === number)
    const { messaging_product: product, pin } = (request.body ?? {}) as Record<string, unknown>
    if (!isGranted || product !== 'whatsapp' || typeof pin !== 'string' || !/^\d{6}$/.test(pin))
      return refuse(response, 400, WRONG_PARAMETER, 'Invalid parameter')
    const known = pins.get(number) ?? pin
    if (known !== pin) return refuse(response, 400, OTHER_PIN, 'Two step verification PIN Mismatch')
    pins.set(number, pin)
    response.json({ success: true })
  })

  router.all('/:version/:account/subscribed_apps', (request, response) => {
    const grant = grantOf(request, response)
    if (!grant) return
    if (!grant.accounts.has(request.params.account))
      return refuse(response, 400, WRONG_PARAMETER, 'Unsupported request.')
    response.json({ success: true })
  })

  return {
    name: 'cloud',
    router,
    reset() {
      for (const kept of [usedCodes, grants, pins]) kept.clear()
    },
    bears(request) {
      const { client_secret: secret } = request.query
      if (typeof secret === 'string') return secret
      // The token of the app itself; that of a grant is no secret of ours.
      return /^Bearer [^\s|]+\|(\S+)$/.exec(request.get('authorization') ?? '')?.[1]
    },
    refusal: (message) => ({ error: { message, type: 'OAuthException', code: 2 } }),
  }
}
