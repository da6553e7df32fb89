import { ServiceError } from '@svc/errors'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { type Sms, smsSender } from '@svc/sms'
import type { Config } from '../config.ts'

export interface Messenger {
  /** Its name, for logs; `none` where the operator has configured none. */
  readonly provider: string
  /** Throws outbound_sms_not_configured where there is no provider. */
  assertConfigured(): void
  /** Resolves once the provider took the message. */
  send(sms: Sms): Promise<void>
  /** Lets work go on after the answer. Its failure is logged; the process does not stop before it has ended. */
  afterwards(work: Promise<unknown>): void
}

const logger = createLogger('messenger')

/** The way to people's phones. */
export function messenger(config: Config): Messenger & Part {
  const { messagingApiUrl: baseUrl, messagingApiKey: apiKey, messagingSender: from } = config
  const sender = baseUrl === undefined ? null : smsSender({ baseUrl, apiKey, from })
  const underWay = new Set<Promise<unknown>>()
  const notConfigured = () => new ServiceError('outbound_sms_not_configured')
  return {
    name: 'messenger',
    provider: sender?.provider ?? 'none',
    assertConfigured() {
      if (!sender) throw notConfigured()
    },
    async send(sms) {
      if (!sender) throw notConfigured()
      await sender.sendSms(sms)
    },
    afterwards(work) {
      const settled = work.catch((err: unknown) => logger.warn({ err }, 'a message was not sent'))
      underWay.add(settled)
      void settled.finally(() => underWay.delete(settled))
    },
    async stop() {
      await Promise.all(underWay)
      await sender?.close()
    },
  }
}
