import type { Sorted } from '../domain/hook.ts'
import type { Channel } from './channel.ts'

/** Decides by the body alone, so that a later release may decide otherwise about the same bytes. */
export function sortHook(channel: Channel, body: Buffer): Sorted {
  const reading = channel.read(body)
  if (!reading) return { state: 'dead', reason: 'unreadable', event: '', merchantId: null }
  const { event, merchantId, isWanted } = reading
  if (!isWanted) return { state: 'ignored', reason: 'event_not_used', event, merchantId }
  return { state: 'received', reason: null, event, merchantId }
}
