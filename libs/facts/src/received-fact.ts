import { decodeFact, type FactName, type PayloadOf } from '@svc/contracts/facts'
import type { FactMessage } from '@svc/kafka'

/** A fact as its consumers see it. */
export interface ReceivedFact<N extends FactName> {
  id: string
  type: N
  /** When its transaction began, by the clock of the database that announced it. */
  time: Date
  aggregateId: string
  aggregateVersion: number
  merchantId: string | null
  isTest: boolean
  message: PayloadOf<N>
  /** To continue the trace later: keep it beside what the fact causes. */
  traceparent?: string
}

/** The CloudEvent in a Kafka message; throws where an attribute is missing or the payload cannot be decoded. */
export function receivedFact(
  { key, headers, payload }: Pick<FactMessage, 'key' | 'headers' | 'payload'>,
  traceparent: string | undefined = headers['traceparent'],
): ReceivedFact<FactName> {
  const attribute = (name: string): string => {
    const value = headers[`ce_${name}`]
    if (value === undefined) throw new TypeError(`a fact without ${name}`)
    return value
  }
  const type = attribute('type') as FactName
  return {
    id: attribute('id'),
    type,
    time: new Date(attribute('time')),
    aggregateId: key,
    aggregateVersion: Number(attribute('aggregateversion')),
    merchantId: headers['ce_merchantid'] ?? null,
    isTest: attribute('istest') === 'true',
    message: decodeFact(type, payload),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
}
