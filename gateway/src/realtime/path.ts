/** Where sockets connect. */
export const REALTIME_PATH = '/realtime'
