import { DeliveryDispatch } from '@delivery-dispatch/sdk'
import { LOCAL, safeBaseUrl } from '../base-url.ts'
import type { Command } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { secret } from '../input.ts'

export const login: Command = {
  usage: 'login',
  summary: 'Keep an API key in a profile. The key is asked for, or read from standard input',
  options: {
    'base-url': { type: 'string', value: 'URL', text: `Where the API is; ${LOCAL} unless given` },
  },
  async run({ output, profiles, env }, _, values) {
    const name = String(values['profile'] ?? 'default')
    const baseUrl = safeBaseUrl(String(values['base-url'] ?? env['DISPATCH_BASE_URL'] ?? LOCAL))
    const apiKey = await secret('API key: ')
    if (!/^svc_(test|live)_/.test(apiKey))
      throw new Failure('An API key begins with svc_test_ or svc_live_.', EXIT.usage)
    const { merchant } = await new DeliveryDispatch({ baseUrl, credential: apiKey }).getAccount()
    const before = profiles.get(name)
    // How far `listen` came, and its secret, are of a merchant and a service: of others they would be wrong.
    const isSame = before?.merchantId === merchant.id && before.baseUrl === baseUrl
    profiles.use(name, { ...(isSame ? before : {}), baseUrl, apiKey, merchantId: merchant.id })
    output.show(
      { profile: name, merchant_id: merchant.id, base_url: baseUrl, environment: environmentOf(apiKey) },
      `${output.paint('green', 'Logged in')} as ${merchant.name} (${environmentOf(apiKey)}), profile ${name}.`,
      output.paint('dim', `Kept in ${profiles.path}, readable by you alone.`),
    )
  },
}

export const logout: Command = {
  usage: 'logout',
  summary: 'Forget a profile and its key',
  async run({ output, profiles }, _, values) {
    const name = String(values['profile'] ?? profiles.current() ?? 'default')
    profiles.remove(name)
    output.show(
      { profile: name, removed: true },
      `Profile ${name} is forgotten. The key itself lives on: revoke it where it was made.`,
    )
  },
}

export const profilesCommand: Command = {
  usage: 'profiles [NAME]',
  summary: 'List profiles, or go on with another one',
  async run({ output, profiles }, [name]) {
    if (name !== undefined) {
      const profile = profiles.get(name)
      if (!profile)
        throw new Failure(`There is no profile ${name}. Known: ${profiles.names().join(', ') || 'none'}.`, EXIT.usage)
      profiles.use(name, profile)
    }
    const current = profiles.current()
    const all = profiles.names().map((one) => ({
      profile: one,
      current: one === current,
      environment: environmentOf(profiles.get(one)!.apiKey),
      base_url: profiles.get(one)!.baseUrl,
    }))
    output.show(
      all,
      ...(all.length === 0 ? ['No profile yet: dispatch login'] : []),
      ...output.table(all.map((one) => [one.current ? '*' : ' ', one.profile, one.environment, one.base_url])),
    )
  },
}

export const environmentOf = (apiKey: string): string => (apiKey.startsWith('svc_live_') ? 'live' : 'test')
