import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import type { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import type { Server } from 'socket.io'
import { emit } from './emit.ts'
import { visibleLocations } from './messages.ts'
import { merchantRoom, orderRoom, SIDES } from './rooms.ts'
import { Throttle } from './throttle.ts'

const INTERVAL_MS = 1_000

type Event = NonNullable<RealtimeEvent['event']>

/** Passes what dispatch tells to this replica's own sockets, positions at most once a second per rider. */
export function broadcaster(io: Server) {
  const locations = new Throttle<{ merchantId: string; location: RiderLocation }>({
    intervalMs: INTERVAL_MS,
    send({ merchantId, location }) {
      for (const isTest of SIDES) {
        for (const view of visibleLocations([location], merchantId, isTest)) {
          emit(io.local.to(merchantRoom(merchantId, isTest)), 'rider_location', view)
        }
      }
    },
  })
  const tracked = new Throttle<{ orderId: string; location: RiderLocation }>({
    intervalMs: INTERVAL_MS,
    send({ orderId, location }) {
      emit(io.local.to(orderRoom(orderId)), 'tracking_location', location)
    },
  })
  const isHeard = (room: string): boolean => io.sockets.adapter.rooms.has(room)
  const roomsOf = (merchantId: string): string[] => SIDES.map((isTest) => merchantRoom(merchantId, isTest))

  return {
    tell(event: Event): void {
      switch (event.$case) {
        case 'rider_moved': {
          for (const location of event.value.locations) {
            const { merchant_id: merchantId, rider_id: riderId } = location
            if (!merchantId || !roomsOf(merchantId).some(isHeard)) continue
            locations.offer(`${merchantId} ${riderId}`, { merchantId, location })
          }
          const [location] = event.value.locations
          if (!location) return
          for (const orderId of event.value.tracked_order_ids) {
            if (isHeard(orderRoom(orderId))) tracked.offer(orderId, { orderId, location })
          }
          return
        }
        case 'rider_online_changed': {
          // Of live riders alone: that of the sandbox is always online.
          const rooms = [null, false].map((isTest) => merchantRoom(event.value.merchant_id, isTest))
          emit(io.local.to(rooms), 'rider_online_status', event.value)
          return
        }
        case 'tracking_changed': {
          emit(io.local.to(orderRoom(event.value.order_id)), 'tracking_status', event.value)
        }
      }
    },
    stop(): void {
      locations.stop()
      tracked.stop()
    },
  }
}
