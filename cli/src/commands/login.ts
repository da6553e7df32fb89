import { DeliveryDispatch } from '@delivery-dispatch/sdk'
import { LOCAL, safeBaseUrl } from '../base-url.ts'
import type { Command, Session, Values } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { needed, secret } from '../input.ts'
import { plain } from '../output.ts'
import { environmentOf } from '../profiles.ts'

const WHERE = {
  'base-url': { type: 'string', value: 'URL', text: `Where the API is; ${LOCAL} unless given` },
} as const

export const login: Command = {
  usage: 'login',
  summary: 'Keep an API key in a profile. The key, or a password, is asked for, or read from standard input',
  options: {
    ...WHERE,
    email: { type: 'string', value: 'EMAIL', text: 'Have a key made by logging in, instead of giving one' },
    live: { type: 'boolean', text: 'With --email: a live key, not one of the sandbox' },
  },
  async run(session, _, values) {
    const baseUrl = baseUrlOf(session, values)
    if (values['live'] && !values['email']) throw new Failure('--live goes with --email.', EXIT.usage)
    const apiKey = values['email']
      ? await madeKey(baseUrl, String(values['email']), !values['live'])
      : await secret('API key: ')
    if (!/^svc_(test|live)_/.test(apiKey))
      throw new Failure('An API key begins with svc_test_ or svc_live_.', EXIT.usage)
    const { merchant } = await new DeliveryDispatch({ baseUrl, credential: apiKey }).getAccount()
    keepProfile(session, values, { baseUrl, apiKey, merchant })
  },
}

export const signup: Command = {
  usage: 'signup EMAIL BUSINESS_NAME',
  summary:
    'Open an account, and keep its sandbox key in a profile. The password is asked for, or read from standard input',
  options: WHERE,
  async run(session, [email, businessName], values) {
    const baseUrl = baseUrlOf(session, values)
    const body = {
      email: needed(email, 'EMAIL', this.usage),
      business_name: needed(businessName, 'BUSINESS_NAME', this.usage),
      password: await secret('A password of ten characters or more: '),
      website: '',
    }
    const answer = await new DeliveryDispatch({ baseUrl }).signUpMerchant(body)
    keepProfile(session, values, { baseUrl, apiKey: answer.api_key, merchant: answer.merchant })
    if (answer.email_verification_required) session.output.note(`Confirm the address by the mail to ${body.email}.`)
  },
}

const baseUrlOf = ({ env }: Session, values: Values): string =>
  safeBaseUrl(String(values['base-url'] ?? env['DISPATCH_BASE_URL'] ?? LOCAL))

/** A key of its own for the command line; the log-in that made it ends at once. */
async function madeKey(baseUrl: string, email: string, isTest: boolean): Promise<string> {
  const password = await secret('Password: ')
  const { access_token, refresh_token } = await new DeliveryDispatch({ baseUrl }).logIn({ email, password })
  const owner = new DeliveryDispatch({ baseUrl, credential: access_token })
  const { api_key } = await owner.createApiKey({ label: 'command line', is_test: isTest })
  await owner.logOut({ refresh_token })
  return api_key
}

function keepProfile(
  { output, profiles }: Session,
  values: Values,
  { baseUrl, apiKey, merchant }: { baseUrl: string; apiKey: string; merchant: { id: string; name: string } },
): void {
  const name = String(values['profile'] ?? 'default')
  profiles.use(name, { baseUrl, apiKey, merchantId: merchant.id })
  output.show(
    { profile: name, merchant_id: merchant.id, base_url: baseUrl, environment: environmentOf(apiKey) },
    `${output.paint('green', 'Logged in')} as ${plain(merchant.name)} (${environmentOf(apiKey)}), profile ${name}.`,
    output.paint('dim', `The key is kept in ${profiles.placeOf(name)}.`),
  )
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
    if (name !== undefined) profiles.select(name)
    const current = profiles.current()
    const all = profiles.all().map((one) => ({
      profile: one.name,
      current: one.name === current,
      environment: one.environment,
      base_url: one.baseUrl,
    }))
    output.show(
      all,
      ...(all.length === 0 ? ['No profile yet: dispatch login'] : []),
      ...output.table(all.map((one) => [one.current ? '*' : ' ', one.profile, one.environment, one.base_url])),
    )
  },
}
