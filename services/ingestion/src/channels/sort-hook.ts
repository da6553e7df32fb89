import type { Hook, Sorted } from '../domain/hook.ts'
import type { Channel, Kept } from './channel.ts'

/** Decides by what is kept alone, so that a later release may decide otherwise about the same bytes. */
export function sortHook(channel: Channel, hook: Kept & Partial<Pick<Hook, 'signer'>>): Sorted {
  const reading = channel.read(hook)
  if (!reading) return { state: 'dead', reason: 'unreadable', event: '', merchantId: null, externalOrderId: null }
  const { event, merchantId, isWanted, forPerson, externalOrderId = null } = reading
  if (forPerson !== undefined) return { state: 'dead', reason: forPerson, event, merchantId, externalOrderId }
  if (!isWanted) return { state: 'ignored', reason: 'event_not_used', event, merchantId, externalOrderId }
  return { state: 'received', reason: null, event, merchantId, externalOrderId }
}
