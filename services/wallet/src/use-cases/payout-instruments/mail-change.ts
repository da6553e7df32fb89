import { createHash } from 'node:crypto'
import { type Intent, openIntent } from '@svc/intents'
import { MailRefusedError } from '@svc/mail'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import type { PayoutInstrumentRow } from '../../db/payout-instruments.ts'
import type { Owner } from '../../domain/operation.ts'
import { payoutInstrumentChangedFact } from '../../events.ts'
import { instrumentAlert } from '../../messages/alerts.ts'
import { type InstrumentMail, instrumentMail } from '../../messages/instrument-mail.ts'
import { merchantOf } from '../../peers/owner-email.ts'

/** Mails to a merchant's owner, which wait where the operator has no mail provider. */
export const INSTRUMENT_MAIL = 'payout_instrument_mail'

interface Change {
  action: string
  owner: Owner
  instrument: PayoutInstrumentRow
  /** The owner had none before. */
  isFirst: boolean
}

/** An owner will be paid elsewhere: a rider is told by SMS and operators by the log, a merchant's owner gets a mail. */
export async function announceChange(
  { logger }: Pick<Context, 'logger'>,
  tx: Tx,
  { action, owner, instrument, isFirst }: Change,
): Promise<void> {
  if (owner.kind === 'rider') {
    tx.publish(payoutInstrumentChangedFact(owner, instrument))
    logger.warn(...instrumentAlert(action, owner, instrument))
  }
  if (owner.kind !== 'merchant' || isFirst) return
  const payload: InstrumentMail = {
    bankName: instrument.bank_name ?? instrument.bank_code,
    accountLast4: instrument.account_last4,
    isDefault: instrument.is_default,
    frozenUntil: instrument.frozen_until?.toISOString() ?? null,
  }
  await openIntent(tx, { kind: INSTRUMENT_MAIL, subjectId: instrument.id, merchantId: owner.id, payload })
}

/** Tells the owner of a merchant that it will be paid elsewhere; one mail per change, however often it is tried. */
export async function mailChange(ctx: Context, { id, merchant_id, payload }: Intent): Promise<object> {
  if (!ctx.mail || merchant_id === null) throw new TypeError('only a merchant gets a mail, and only by a provider')
  const { name, email } = await merchantOf(ctx, merchant_id)
  try {
    const mail = instrumentMail(name, payload as InstrumentMail)
    await ctx.mail.sendMail({ ...mail, to: email, idempotencyKey: keyOf(id, payload) })
    return { mail: 'sent' }
  } catch (err) {
    if (!(err instanceof MailRefusedError)) throw err
    ctx.logger.error({ err, intent: id }, 'the mail provider refuses a mail about a payout instrument for good')
    return { mail: 'refused' }
  }
}

/** Another change of the same instrument is another mail, also where its intent took over the one of before. */
const keyOf = (id: string, payload: unknown): string =>
  createHash('sha256')
    .update(`${id}:${JSON.stringify(payload)}`)
    .digest('hex')
