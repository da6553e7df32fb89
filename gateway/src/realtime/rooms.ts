/** The sides of the wall on which a merchant's sockets can be: a login sees both. */
export const SIDES = [null, false, true] as const

/** Where the sockets of a merchant hear of its riders, apart by what they may see. */
export function merchantRoom(merchantId: string, isTest: boolean | null): string {
  return isTest === null ? `merchant:${merchantId}` : `merchant:${merchantId}:${isTest ? 'test' : 'live'}`
}

/** All sockets of one session, on whichever replica. */
export const sessionRoom = (sessionId: string): string => `session:${sessionId}`
/** Where tracking pages of an order listen. */
export const orderRoom = (orderId: string): string => `order:${orderId}`
