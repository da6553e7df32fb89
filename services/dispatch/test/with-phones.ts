import { randomInt } from 'node:crypto'
import { type Caller, systemCaller } from '@svc/grpc'
import { type Receiver, receiver } from '@svc/testing'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'

export interface Phones {
  mesh: DispatchMesh
  provider: Receiver
  /** Codes sent to the number so far, oldest first. */
  codesSentTo(phone: string): string[]
  /** Every text sent to the number so far, oldest first. */
  textsTo(phone: string): string[]
  /** The first code sent to the number, once it is there. */
  codeSentTo(phone: string): Promise<string>
  stop(): Promise<void>
}

interface SentSms {
  to: string
  sms: string
}

/** The dispatch service with a provider of text messages that keeps what it was sent. */
export async function withPhones(settings: Record<string, string> = {}): Promise<Phones> {
  const provider = await receiver({ respond: () => ({ body: '{"code":"ok"}' }) })
  const mesh = await dispatchMesh({ MESSAGING_API_URL: provider.url, MESSAGING_API_KEY: 'the-key', ...settings })
  const codesOf = (sms: SentSms, phone: string): string[] =>
    `+${sms.to}` === phone ? (/\b\d{6}\b/.exec(sms.sms) ?? []) : []
  const codesSentTo = (phone: string) =>
    provider.requests.flatMap((request) => codesOf(request.json() as SentSms, phone))
  return {
    mesh,
    provider,
    codesSentTo,
    textsTo: (phone) =>
      provider.requests.flatMap((request) => {
        const { to, sms } = request.json() as SentSms
        return `+${to}` === phone ? [sms] : []
      }),
    async codeSentTo(phone) {
      await provider.waitFor((request) => codesOf(request.json() as SentSms, phone).length > 0)
      return codesSentTo(phone)[0]!
    },
    async stop() {
      await mesh.stop()
      await provider.close()
    },
  }
}

export const visitor = (): Caller => ({ ...systemCaller('visitor'), kind: 'public' })

/** A Nigerian mobile number that nobody else has. */
export const newPhone = (): string => `+234803${String(randomInt(10 ** 7)).padStart(7, '0')}`
