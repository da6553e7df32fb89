import type { FactMessage } from '@svc/kafka'

/** A fact as its consumers see it. */
export interface ReceivedFact<M> {
  id: string
  type: string
  /** When its transaction began, by the clock of the database that announced it. */
  time: Date
  aggregateId: string
  aggregateVersion: number
  merchantId: string | null
  isTest: boolean
  message: M
  /** To continue the trace later: keep it beside what the fact causes. */
  traceparent?: string
}

/** The CloudEvent in a Kafka message; throws where an attribute is missing or the payload cannot be decoded. */
export function receivedFact<M>(
  { key, headers, payload }: Pick<FactMessage, 'key' | 'headers' | 'payload'>,
  message: { decode(bytes: Uint8Array): M },
  traceparent: string | undefined = headers['traceparent'],
): ReceivedFact<M> {
  const attribute = (name: string): string => {
    const value = headers[`ce_${name}`]
    if (value === undefined) throw new TypeError(`a fact without ${name}`)
    return value
  }
  return {
    id: attribute('id'),
    type: attribute('type'),
    time: new Date(attribute('time')),
    aggregateId: key,
    aggregateVersion: Number(attribute('aggregateversion')),
    merchantId: headers['ce_merchantid'] ?? null,
    isTest: attribute('istest') === 'true',
    message: message.decode(payload),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
}
