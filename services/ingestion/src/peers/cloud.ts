import { randomInt } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { Config } from '../config.ts'
import type { CloudAsset } from '../domain/cloud-asset.ts'
import { CloudRefusedError, cloudApi } from './cloud-api.ts'
import * as reply from './cloud-replies.ts'

/** Of one request, which is made twice at most. */
const TIMEOUT_MS = 5_000
/** Of all requests together that one call of a merchant leads to: before whoever waits for it gives up. */
const ALL_TIMEOUT_MS = 20_000
/** More business accounts than one signup is for. */
const MAX_ACCOUNTS = 20

/** What the signup in the browser is started with. */
export interface CloudSdkConfig {
  appId: string
  configId: string
  apiVersion: string
}

/** The calls of one signup, which share a time limit. */
export interface CloudCalls {
  /** The token that the code of a finished signup is good for, once. */
  exchangeCode(code: string): Promise<string>
  /** The phone numbers that the token may manage. */
  listAssets(token: string): Promise<CloudAsset[]>
  /** Lets the number send and receive by the cloud; again with the same PIN it changes nothing. */
  register(token: string, phoneNumberId: string, pin: string): Promise<void>
  /** Lets the provider send us the account's messages; again it changes nothing. */
  subscribe(token: string, wabaId: string): Promise<void>
}

/**
 * The messaging app's cloud. What it refuses for good throws CloudRefusedError; where nothing is known, or it asks for
 * patience, service_unavailable.
 */
export interface Cloud {
  readonly sdkConfig: CloudSdkConfig
  begin(): CloudCalls
  close(): Promise<void>
}

/** The messaging app's cloud, or null where the operator has configured none. */
export function messagingCloud(config: Config): Cloud | null {
  const { cloudApiUrl, cloudApiVersion: apiVersion, cloudAppId, cloudAppSecret, cloudConfigId: configId } = config
  if (cloudApiUrl === undefined || cloudAppId === undefined || cloudAppSecret === undefined || configId === undefined)
    return null
  const api = cloudApi({ baseUrl: cloudApiUrl, apiVersion, timeoutMs: TIMEOUT_MS })
  const appToken = `${cloudAppId}|${cloudAppSecret}`

  function begin(): CloudCalls {
    const signal = AbortSignal.timeout(ALL_TIMEOUT_MS)

    async function accountsOf(token: string): Promise<string[]> {
      const request = { method: 'GET', path: 'debug_token', query: { input_token: token }, bearer: appToken } as const
      const { appId, isValid, wabaIds } = await api.send(reply.grantOfToken, request, signal)
      // A token of another app tells nothing about who signed up here.
      if (!isValid || appId !== cloudAppId) throw new ServiceError('invalid_state', AUTHORIZATION_ENDED)
      return [...new Set(wabaIds)].slice(0, MAX_ACCOUNTS)
    }

    async function numbersOf(token: string, wabaId: string): Promise<CloudAsset[]> {
      const query = { fields: 'id,display_phone_number,verified_name', limit: '100' }
      const request = { method: 'GET', path: `${wabaId}/phone_numbers`, query, bearer: token } as const
      const numbers = await api.send(reply.phoneNumbers, request, signal)
      return numbers.map(({ id, display_phone_number, verified_name }) => ({
        wabaId,
        phoneNumberId: id,
        displayPhoneNumber: display_phone_number ?? null,
        verifiedName: verified_name ?? null,
      }))
    }

    return {
      exchangeCode: (code) =>
        api.send(
          reply.accessToken,
          {
            method: 'GET',
            path: 'oauth/access_token',
            query: { client_id: cloudAppId!, client_secret: cloudAppSecret!, code },
          },
          signal,
        ),
      async listAssets(token) {
        const accounts = await accountsOf(token)
        const lists = await Promise.all(accounts.map((wabaId) => numbersOf(token, wabaId)))
        return lists.flat()
      },
      async register(token, phoneNumberId, pin) {
        const body = { messaging_product: 'whatsapp', pin }
        await api.send(
          reply.success,
          { method: 'POST', path: `${phoneNumberId}/register`, bearer: token, body },
          signal,
        )
      },
      async subscribe(token, wabaId) {
        await api.send(reply.success, { method: 'POST', path: `${wabaId}/subscribed_apps`, bearer: token }, signal)
      },
    }
  }

  return { sdkConfig: { appId: cloudAppId, configId, apiVersion }, begin, close: api.close }
}

/** The cloud; throws where there is none. */
export function requireCloud({ cloud }: { cloud: Cloud | null }): Cloud {
  if (!cloud) throw new ServiceError('messaging_app_not_configured')
  return cloud
}

/** Six digits, with which a number is registered. */
export const newPin = (): string => randomInt(1_000_000).toString().padStart(6, '0')

/** The merchant has taken back what it had granted, or too much time has passed. */
export const AUTHORIZATION_ENDED = {
  message: 'The signup is no longer good; start it again.',
  details: { reason: 'authorization_ended' },
}

/** The provider's code for a token that is no longer good, and for a PIN that is not the one of the number. */
const ENDED_TOKEN = 190
const OTHER_PIN = 133005

/** What was asked with a merchant's token; throws invalid_state where the provider refuses it for good. */
export async function whileAuthorized<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof CloudRefusedError)) throw error
    if (error.code === ENDED_TOKEN) throw new ServiceError('invalid_state', { ...AUTHORIZATION_ENDED, cause: error })
    const reason = error.code === OTHER_PIN ? 'two_step_pin_set' : 'refused_by_provider'
    throw new ServiceError('invalid_state', { message: REFUSED[reason], details: { reason }, cause: error })
  }
}

const REFUSED = {
  two_step_pin_set: 'The phone number has a PIN of its own; switch two-step verification off and try again.',
  refused_by_provider: 'The messaging app refuses this phone number.',
}
