import { randomBytes } from 'node:crypto'
import { eventually } from '@svc/testing'
import { Api, answered, signUp } from '../../journeys/merchant.ts'
import type { Rotation } from '../rotation.ts'

const VARIABLE = 'PASSWORD_PEPPER'

/** Passwords by which somebody logs in move to the new pepper; who has not chooses another by a mailed link. */
export const passwordPepper: Rotation = {
  name: 'password-pepper',
  async rotate({ told, roll, anyone, command, logIn, system, stream }) {
    const mails = new Api(system.providersUrl)
    const linkTo = (email: string, template: string): Promise<string> =>
      eventually(async () => {
        const { body } = await mails.get('/__control/outbox')
        const isMeant = (mail: { to: string; template?: string }) => mail.to === email && mail.template === template
        return body.items.findLast(isMeant)?.token ?? false
      }) as Promise<string>
    // From an address of its own: sign-ups are counted by it.
    const idle = await signUp(system.baseUrl, '127.77.3.1')
    const link = await linkTo(idle.email, 'email_verification')
    stream('log-in', 500, logIn)
    const old = told('admin', VARIABLE)
    const fresh = randomBytes(32).toString('base64')
    await roll(['admin'], { [VARIABLE]: `${old},${fresh}` })
    await roll(['admin'], { [VARIABLE]: `${fresh},${old}` })
    answered(200, await anyone.post('/v1/public/email-verification/confirm', { token: link }))
    await logIn()
    const { users } = JSON.parse(await command('admin', 'count-peppers'))
    console.log(`  ${JSON.stringify(users)}`)
    if (users.named[0] < 1) throw new Error('no password has moved')
    await roll(['admin'], { [VARIABLE]: fresh })
    const tried = (password: string) => anyone.post('/v1/public/login', { email: idle.email, password })
    answered(401, await tried(idle.password))
    answered(202, await anyone.post('/v1/public/password-reset/request', { email: idle.email, website: '' }))
    const password = `another one ${randomBytes(8).toString('hex')}`
    const token = await linkTo(idle.email, 'password_reset')
    answered(200, await anyone.post('/v1/public/password-reset/confirm', { token, password }))
    answered(200, await tried(password))
  },
}
