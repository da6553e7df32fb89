import { randomUUID } from 'node:crypto'
import { eventually } from '@svc/testing'
import { codeSentTo, operatorOf } from '../journeys/fleet.ts'
import { Api, answered, signUp } from '../journeys/merchant.ts'
import type { Rotating } from './rotation.ts'
import { openFleet } from './stage.ts'

/** What has the mesh come to each provider that knows us by a secret alone, by the name of its double. */
export async function callsToProviders(rotating: Rotating): Promise<Record<string, () => Promise<unknown>>> {
  const { anyone, baseUrl, system } = rotating
  const { merchant: trading, rider } = await openFleet(system)
  const { owner } = await signUp(baseUrl)
  // Whose first log-in at the identity provider ends all that was made without it.
  const { email } = await signUp(baseUrl)
  const operator = { email: `op-${randomUUID()}@ops.example`, password: `first ${randomUUID()}`, role: 'administrator' }
  const root = await operatorOf(system)
  answered(201, await root.post('/v1/admin/rbac/identities', operator))
  await confirmAddress(rotating, email)
  return {
    async 'email-a'() {
      answered(202, await anyone.post('/v1/public/password-reset/request', { email }))
    },
    async 'messaging-a'() {
      answered(200, await anyone.post('/v1/auth/rider/phone-otp/request', { phone: rider.phone }))
      await codeSentTo(system, rider.phone)
    },
    async 'object-store'() {
      const bytes = new TextEncoder().encode('%PDF-1.7\na certificate')
      const asked = { file_name: 'certificate.pdf', content_type: 'application/pdf', size_bytes: bytes.length }
      const presign = { ...asked, document_type: 'certificate_of_incorporation' }
      const { upload, storage_key } = answered(201, await owner.post('/v1/me/kyb/uploads/presign', presign)).body
      const { status } = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes })
      if (status !== 200) throw new Error(`the store answered ${status}`)
      answered(201, await owner.post('/v1/me/kyb/documents', { storage_key }))
    },
    async oidc() {
      await logIn(rotating, '/v1/public/auth/merchant-oidc', email)
      await logIn(rotating, '/v1/admin/auth/oidc', operator.email)
    },
    async cloud() {
      const code = `one-${randomUUID()}`
      answered(200, await trading.owner.post('/v1/me/messaging-app/cloud/exchange-token', { code }))
    },
  }
}

/** The person of that address logs in at the identity provider, and so here. */
async function logIn({ anyone, system }: Rotating, path: string, email: string): Promise<void> {
  const begun = answered(302, await anyone.get(`${path}/login`))
  const page = new URL(begun.headers.get('location')!)
  page.searchParams.set('login_hint', email)
  const consented = answered(302, await new Api(system.providersUrl).get(page.pathname + page.search))
  const back = new URL(consented.headers.get('location')!)
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  answered(200, await anyone.with({ cookie }).get(back.pathname + back.search))
}

async function confirmAddress({ anyone, system }: Rotating, email: string): Promise<void> {
  const token = await eventually(async () => {
    const { items } = answered(200, await new Api(system.providersUrl).get('/__control/outbox')).body
    return items.find(
      ({ to, template }: { to: string; template: string }) => to === email && template === 'email_verification',
    )?.token as string | undefined
  })
  answered(200, await anyone.post('/v1/public/email-verification/confirm', { token }))
}
