import type * as z from 'zod'
import { SOCKET_BODIES, type SocketEvent } from '../bodies/realtime.ts'

/** A socket, or all of some rooms. */
interface Target {
  emit(name: string, body: unknown): unknown
}

/** Sends an event as its schema has it: what that does not name is stripped, what it promises and the body lacks is null. */
export function emit<N extends SocketEvent>(to: Target, name: N, body: z.input<(typeof SOCKET_BODIES)[N]>): void {
  to.emit(name, SOCKET_BODIES[name].parse(body))
}
