import { randomUUID } from 'node:crypto'
import { type Intent, openIntent, untilDone } from '@svc/intents'
import type { Sms } from '@svc/sms'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import type { SosAlert } from '../../db/sos-alerts.ts'
import type { Rider } from '../../domain/rider.ts'

/** The kind of the intents that tell an operator's phone of an alert. */
export const SOS = 'sos'

/** Records that each of the phones is to be told of the alert: one that refuses holds up no other. */
export async function openAlarms(
  tx: Tx,
  phones: readonly string[],
  { name, phone }: Rider,
  { point, note, merchantId }: SosAlert,
): Promise<void> {
  const place = point ? ` at ${point.lat},${point.lng}` : ''
  const text = `SOS of rider ${name} (${phone})${place}${note ? `: ${note}` : ''}`
  for (const to of phones) {
    const payload: Sms = { to, text }
    await openIntent(tx, { kind: SOS, subjectId: randomUUID(), merchantId, payload })
  }
}

/** Sends the alarm, again and again until the provider takes it: no refusal ends it. */
export async function sendAlarm({ messenger }: Pick<Context, 'messenger'>, { payload }: Intent): Promise<object> {
  await untilDone(messenger.send(payload as Sms))
  return { provider: messenger.provider }
}
